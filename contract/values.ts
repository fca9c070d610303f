/** Platform codes with the HTTP status that carries each. Section 7.2. */
export const codes = {
  headersMissing: { code: 10009000, status: 401, meaning: 'token, sign or timestamp missing' },
  timestampInvalid: { code: 10009001, status: 401, meaning: 'timestamp invalid or too far from server time' },
  tokenInvalid: { code: 10009002, status: 401, meaning: 'invalid token' },
  signMismatch: { code: 10009003, status: 401, meaning: 'signature mismatch' },
  applicationDisabled: { code: 10009004, status: 403, meaning: 'application disabled' },
  applicationNotEffective: { code: 10009015, status: 403, meaning: 'application pending approval or rejected' },
  integratorDisabled: { code: 10009014, status: 403, meaning: 'integrator account disabled' },
  notSubscribed: { code: 10009005, status: 403, meaning: 'endpoint not subscribed' },
  retired: { code: 10009034, status: 410, meaning: 'endpoint retired' },
  rateLimited: { code: 10009006, status: 429, meaning: 'rate limit exceeded' },
} as const;

export type CodeName = keyof typeof codes;

/** A refusal by the gateway: its HTTP status and its platform code. */
export interface PlatformCode {
  readonly code: number;
  readonly status: number;
  readonly meaning: string;
}

/** The languages of `message` texts, as the `Language` and `Accept-Language` headers name them. Section 9. */
export const languages = ['zh', 'en', 'pt', 'es'] as const;

export type Language = (typeof languages)[number];

/** The language of a request that names none. Section 9. */
export const defaultLanguage: Language = 'pt';

/** The headers that choose the language. Section 9. */
export const languageHeaders = ['Language', 'Accept-Language'] as const;

/** The numbers of section 8; units are in the names. */
export const limits = {
  timestampToleranceSeconds: 300,
  xmlVerificationBytes: 1_000_000,
  /** What any other body may have; how much more a service takes is not shown. */
  otherBodyBytes: 16_384,
  webhookResponseSeconds: 10,
  webhookRetryDelaysSeconds: [60, 300, 1800, 7200, 21600],
  linkTokenSeconds: 600,
  /** Advised waiting after a 429: doubling from the first to the last, with jitter. Section 7.2. */
  backoffFirstSeconds: 1,
  backoffLastSeconds: 30,
} as const;

/** The states of an NF-e: `status` of the query. Section 3.1. */
export const nfeStates = ['AguardandoAutorizacao', 'Autorizada', 'Negada', 'Cancelada'] as const;

export type NfeState = (typeof nfeStates)[number];

/** Letters and digits with dashes between, no longer than a UUID: an `id` that no service has a reason to refuse. Section 4.1. */
export function isPlainNfeId(nfeId: string): boolean {
  return nfeId.length <= 36 && /^[A-Za-z\d]+(?:-[A-Za-z\d]+)*$/.test(nfeId);
}

/** How an issuance can end: `nfeStatus` of its callback. Sections 2.3 and 3.1. */
export const nfeOutcomes = ['Autorizada', 'Negada'] as const satisfies readonly NfeState[];

export type NfeOutcome = (typeof nfeOutcomes)[number];

/** What a verification can find: `validationStatus`. Section 3.2. */
export const verdictStates = ['VALIDATED', 'REJECTED', 'VALIDATION_ERROR'] as const;

export type VerdictState = (typeof verdictStates)[number];

/** What the tax authority can say of a verified invoice: `status` of a verdict. Section 2.4. */
export const fiscalStates = [
  'Autorizada',
  'Cancelada',
  'Denegada',
  'Inutilizada',
  'NaoEncontrada',
  'Desconhecida',
] as const;

export type FiscalState = (typeof fiscalStates)[number];

/** Whose trouble it is that something could not be judged, or does not hold. */
export const troubles = ['target', 'network', 'settings', 'suite'] as const;

export type Trouble = (typeof troubles)[number];

/** The chave of an NF-e document: the 44 digits in the Id of its `infNFe`; `undefined` where it has none. Section 2.2. */
export function chaveIn(document: string): string | undefined {
  return /\bId\s*=\s*["']NFe(\d{44})["']/.exec(document)?.[1];
}

/**
 * The link to the XML in an invoice object: a field other than `linkDanfe` whose name contains `xml` and that holds an address,
 * which may stand in an object of links. One of an event or of a namespace is none; where several are left, it is the one that is
 * called a link. Section 4.1.
 */
export function xmlLinkIn(invoice: unknown): string | undefined {
  const found = addressesIn(invoice).filter(
    ([name]) => /xml/i.test(name) && !/\.linkDanfe$|xmlns|namespace|schema|event|cancel/i.test(name),
  );
  const strangeness = ([name]: Address): number => (/link|url|download/i.test(name) ? 0 : 1);
  return found.toSorted((one, other) => strangeness(one) - strangeness(other))[0]?.[1];
}

type Address = readonly [name: string, address: string];

/** The addresses in an object and in objects in it, by the names that lead there. */
function addressesIn(value: unknown, name = '', depth = 0): readonly Address[] {
  if (isHttpUrl(value)) return [[name, value]];
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth === 3) return [];
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    addressesIn(inner, `${name}.${key}`, depth + 1),
  );
}

/** Whether a value is an absolute http or https URL. */
export function isHttpUrl(value: unknown): value is string {
  return typeof value === 'string' && /^https?:\/\//i.test(value) && URL.canParse(value);
}

/** The two ways in which the delays of the retries can be meant. Section 6.4. */
export const retryReadings = ['each after the one before', 'all after the first'] as const;

export type RetryReading = (typeof retryReadings)[number];

const delays = limits.webhookRetryDelaysSeconds;

/** When the five retries are due by each reading, in seconds after the first attempt. */
export const retryInstantsSeconds: Readonly<Record<RetryReading, readonly number[]>> = {
  'each after the one before': delays.map((_, at) => delays.slice(0, at + 1).reduce((sum, delay) => sum + delay, 0)),
  'all after the first': delays,
};

/** Whether what stands before a service answers with that status as well: 502, 503 and 504. Sections 7.1 and 7.3 have none of them. */
export function isOfWay(status: number): boolean {
  return status >= 502 && status <= 504;
}
