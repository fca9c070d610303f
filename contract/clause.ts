/** How far a run can reach, from the least that it can be given to the most. Each level holds the ones before it. */
export const assuranceLevels = ['secret', 'credentials', 'receiver', 'control'] as const;

export type AssuranceLevel = (typeof assuranceLevels)[number];

/** Something that a check needs of its target beyond an active application that may call everything. */
export interface Need {
  /** What is needed, as it reads in a report after "needs". */
  readonly text: string;
  /** Settings that together supply it to a target without control API; none where only a control API can. */
  readonly settings: readonly string[];
  /** Files of the profile that together supply it too, whatever the target; a control API does not. */
  readonly profileFiles?: readonly string[];
  /** What supplies it on the command line. */
  readonly argument?: string;
  /** The lowest level of assurance whose means supply it. */
  readonly level: AssuranceLevel;
}

/** All needs, by the name under which clauses and checks ask for them. */
export const needs = {
  'known-app-key': { text: 'an application whose appKey is known', settings: ['NFE_APP_KEY'], level: 'credentials' },
  'known-app-name': { text: 'an application whose appName is known', settings: ['NFE_APP_NAME'], level: 'credentials' },
  'rotated-secret': {
    text: 'a secret that a rotation has made invalid',
    settings: ['NFE_APP_SECRET_ROTATED'],
    level: 'credentials',
  },
  'disabled-application': {
    text: 'an application that is disabled',
    settings: ['NFE_APP_SECRET_DISABLED'],
    level: 'credentials',
  },
  'pending-application': {
    text: 'an application that awaits approval',
    settings: ['NFE_APP_SECRET_PENDING'],
    level: 'credentials',
  },
  'rejected-application': {
    text: 'an application that was rejected',
    settings: ['NFE_APP_SECRET_REJECTED'],
    level: 'credentials',
  },
  'application-of-disabled-integrator': {
    text: 'an application of an integrator whose account is disabled',
    settings: ['NFE_APP_SECRET_INTEGRATOR_DISABLED'],
    level: 'credentials',
  },
  'unsubscribed-application': {
    text: 'an application without any subscription',
    settings: ['NFE_APP_SECRET_UNSUBSCRIBED'],
    level: 'credentials',
  },
  'rate-limited-application': {
    text: 'an application that may be driven into 429',
    settings: ['NFE_APP_SECRET_RATE_LIMITED'],
    level: 'credentials',
  },
  'chosen-application': { text: 'an application made as the check wants it', settings: [], level: 'control' },
  rotation: { text: 'an application whose secret can be rotated', settings: [], level: 'control' },
  'movable-clock': { text: 'a clock that can be moved', settings: [], level: 'control' },
  'real-issuance': {
    text: 'leave to send what might issue a real invoice',
    settings: ['NFE_ALLOW_PRODUCAO'],
    level: 'credentials',
  },
  'passing-time': {
    text: 'minutes that pass: a clock that can be moved, or patience',
    settings: ['NFE_SLOW'],
    level: 'receiver',
  },
  callbacks: {
    text: 'a webhook receiver that the target reaches',
    settings: ['NFE_WEBHOOK_PUBLIC_URL'],
    level: 'receiver',
  },
  'verification-webhook': {
    text: 'verification events that lead to our receiver',
    settings: ['NFE_VERIFICATION_WEBHOOK_URL', 'NFE_WEBHOOK_PUBLIC_URL'],
    level: 'receiver',
  },
  'stored-deliveries': {
    text: 'deliveries that an earlier `npm run receiver` stored',
    settings: [],
    argument: '--received FOLDER',
    level: 'receiver',
  },
  'empresa-registration': {
    text: 'a company that the suite registers itself',
    settings: [],
    profileFiles: ['empresa.json', 'certificado.json', 'certificado.pfx'],
    level: 'credentials',
  },
  empresa: {
    text: 'a company with a certificate',
    settings: ['NFE_EMPRESA_ID'],
    profileFiles: ['empresa.json', 'certificado.json', 'certificado.pfx'],
    level: 'credentials',
  },
  'other-empresa': {
    text: 'a second company',
    settings: [],
    profileFiles: ['outra-empresa.json', 'outro-certificado.pfx', 'certificado.json'],
    level: 'credentials',
  },
  'accepted-issuance': {
    text: 'an issuance that is accepted, whatever comes of it',
    settings: [],
    profileFiles: ['nf-e.autorizada.json'],
    level: 'credentials',
  },
  'authorised-issuance': {
    text: 'an issuance that is authorised',
    settings: [],
    profileFiles: ['nf-e.autorizada.json'],
    level: 'credentials',
  },
  'denied-issuance': {
    text: 'an issuance that is denied',
    settings: [],
    profileFiles: ['nf-e.negada.json'],
    level: 'credentials',
  },
  'refused-issuance': {
    text: 'an issuance that is refused',
    settings: [],
    profileFiles: ['nf-e.invalida.json'],
    level: 'credentials',
  },
  'verified-document': {
    text: 'a document that gets a verdict, whichever',
    settings: [],
    profileFiles: ['verificacao.autorizada.xml'],
    level: 'credentials',
  },
  'valid-document': {
    text: 'a document that is found valid',
    settings: [],
    profileFiles: ['verificacao.autorizada.xml'],
    level: 'credentials',
  },
  'rejected-document': {
    text: 'a document that is rejected',
    settings: [],
    profileFiles: ['verificacao.rejeitada.xml'],
    level: 'credentials',
  },
  'known-cnpj': {
    text: 'a CNPJ that the registry knows',
    settings: [],
    profileFiles: ['consultas.json'],
    level: 'credentials',
  },
  'unknown-cnpj': {
    text: 'a CNPJ that the registry does not know',
    settings: [],
    profileFiles: ['consultas.json'],
    level: 'credentials',
  },
  'known-cpf': {
    text: 'a CPF and birth date that the registry knows',
    settings: [],
    profileFiles: ['consultas.json'],
    level: 'credentials',
  },
  'unknown-cpf': {
    text: 'a CPF that the registry does not know',
    settings: [],
    profileFiles: ['consultas.json'],
    level: 'credentials',
  },
} as const satisfies Record<string, Need>;

export type NeedName = keyof typeof needs;

/** What to do so that a need is met: "set NFE_…", or what to pass on the command line. */
export function remedyFor(need: NeedName): string {
  const { settings, profileFiles, argument }: Need = needs[need];
  if (argument !== undefined) return `pass ${argument}`;
  const bySettings = settings.length === 0 ? [] : [settings.join(' with ')];
  const otherwise = profileFiles
    ? `NFE_PROFILE to a folder with ${profileFiles.join(', ')}`
    : 'NFE_CONTROL_URL with NFE_CONTROL_TOKEN';
  return `set ${[...bySettings, otherwise].join(', or ')}`;
}

/** How firmly the contract says it: it states it, recommends it, or only an order or example there suggests it. */
export const levels = ['must', 'should', 'implied'] as const;

export type Level = (typeof levels)[number];

/** Whom a clause binds. Only the service's clauses are judged by a run against a target. */
export type Party = 'service' | 'receiver' | 'client';

/** One sentence of the contract that can be broken alone, in our own words. */
export interface Clause {
  /** `<topic>.<what>`; pinned, never used again for something else. */
  readonly id: string;
  /** The section of the contract that says it. */
  readonly section: string;
  readonly level: Level;
  readonly binds: Party;
  readonly statement: string;
  /** What every check of it needs of the target; a check may need more. */
  readonly needs?: readonly NeedName[];
  /** What its checks need that go another way, in place of `needs`. */
  readonly needsInstead?: readonly NeedName[];
  /**
   * The clauses that it stands on, by their ids: where a target breaks one of these, nothing can be told of this one, or its check
   * fails for that alone. What those stand on in turn is left out.
   */
  readonly buildsOn?: readonly string[];
  /** Why no black box can observe it; a clause that has this has no checks. */
  readonly unobservable?: string;
}
