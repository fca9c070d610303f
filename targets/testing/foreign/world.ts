import { randomBytes, randomUUID } from 'node:crypto';

/** The conditions in which its applications are, one of each. */
const conditions = [
  'active',
  'disabled',
  'pending',
  'rejected',
  'integratorDisabled',
  'unsubscribed',
  'rateLimited',
] as const;

export type ApplicationCondition = (typeof conditions)[number];

/** An application of an integrator. */
export interface Application {
  readonly condition: ApplicationCondition;
  readonly secret: string;
  readonly key: string;
  readonly name: string;
  /** Of the window in which it called last. */
  rate: { window: number; spent: number };
  /** Where its callbacks go. */
  callback: { readonly url: string; readonly token: string; failures: number } | undefined;
  /** Where its verdicts go. */
  verdictUrls: readonly string[];
}

/** A company, with the invoices that it issued. */
export interface Company {
  readonly id: string;
  readonly owner: Application;
  hasCertificate: boolean;
  readonly invoices: Map<string, Invoice>;
}

/** An invoice that was accepted. */
export interface Invoice {
  readonly id: string;
  readonly company: Company;
  readonly number: number;
  readonly chave: string;
  readonly issuedMs: number;
  status: 'AguardandoAutorizacao' | 'Autorizada' | 'Negada' | 'Cancelada';
  settledMs: number | undefined;
}

/** What the tax authority has on record of a chave. */
export interface AuthorityRecord {
  /** Of the document's content, so that an altered one is told. */
  readonly digest: string;
  readonly status: 'Autorizada' | 'Cancelada';
  readonly protocol: string;
  readonly authorizedMs: number;
}

/** What really happened at a server. */
export interface Counters {
  requests: number;
  companies: number;
  certificates: number;
  invoices: number;
  cancellations: number;
  webhooks: number;
}

/** All that a server keeps. */
export interface World {
  readonly settings: Settings;
  /** By secret. */
  readonly applications: ReadonlyMap<string, Application>;
  readonly companies: Map<string, Company>;
  /** By chave. */
  readonly records: Map<string, AuthorityRecord>;
  /** Digest of the first document that was seen with a chave. */
  readonly firstSeen: Map<string, string>;
  /** The last verdict by application and chave. */
  readonly verdicts: Map<string, string>;
  /** By token. */
  readonly links: Map<string, { readonly invoice: Invoice; readonly kind: 'xml' | 'danfe'; readonly untilMs: number }>;
  readonly counters: Counters;
  /** Whether an event was lost. */
  hasLost: boolean;
  /** Without a trailing slash, with the prefix. */
  baseUrl: string;
  nowMs(): number;
  /** Does it so much later, unless the server was stopped. */
  later(ms: number, work: () => void): void;
  stop(): void;
}

/** A world in which nothing has happened yet. */
export function newWorld(settings: Settings): World {
  const timers = new Set<NodeJS.Timeout>();
  const applications = conditions.map((condition) => newApplication(condition, settings));
  return {
    settings,
    applications: new Map(applications.map((application) => [application.secret, application])),
    companies: new Map(),
    records: new Map(),
    firstSeen: new Map(),
    verdicts: new Map(),
    links: new Map(),
    counters: { requests: 0, companies: 0, certificates: 0, invoices: 0, cancellations: 0, webhooks: 0 },
    hasLost: false,
    baseUrl: '',
    nowMs: () => Date.now() + settings.clockAheadSeconds * 1000,
    later(ms, work) {
      const timer = setTimeout(() => {
        timers.delete(timer);
        work();
      }, ms);
      timers.add(timer);
    },
    stop() {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}

function newApplication(condition: ApplicationCondition, { secret }: Settings): Application {
  return {
    condition,
    secret: (condition === 'active' && secret) || randomBytes(24).toString('base64url'),
    key: `AK-${randomUUID().toUpperCase()}`,
    name: `Integração ${condition}`,
    rate: { window: 0, spent: 0 },
    callback: undefined,
    verdictUrls: [],
  };
}

/** What a foreign server can be started with, so that one point at a time is other than its own profile promises. */
export interface ForeignOptions {
  /** The secret of the active application; drawn where it is empty. */
  readonly secret?: string;
  /** How long after its request an issuance, a verification or a cancellation settles. */
  readonly settleMs?: number;
  /**
   * `strict` wants the fields of its own profile; `lenient` authorises any object with an id; `denies` is strict and lets all
   * end denied; `waits` is strict and never settles.
   */
  readonly issuance?: 'strict' | 'lenient' | 'denies' | 'waits';
  /** Which documents are valid: those that it knows, all but altered ones, or none; `unjudged`: none can be judged. */
  readonly documents?: 'own' | 'all' | 'none' | 'unjudged';
  /** Which numbers its registries know. */
  readonly numbers?: 'own' | 'all' | 'none';
  /** Whether companies and certificates are taken at all. */
  readonly companies?: 'any' | 'none';
  readonly certificates?: 'any' | 'none';
  /** Whether an acknowledged event is delivered once more at once. */
  readonly isDoubling?: boolean;
  /** Whether the first event of a cancelled invoice is lost on the way, with all its retries. */
  readonly isLosingOne?: boolean;
  /** How far its clock runs ahead of this machine's. */
  readonly clockAheadSeconds?: number;
}

type Settings = Required<ForeignOptions>;

/** The options with what is left out filled in. */
export function settingsOf(options: ForeignOptions): Settings {
  return {
    secret: '',
    settleMs: 300,
    issuance: 'strict',
    documents: 'own',
    numbers: 'own',
    companies: 'any',
    certificates: 'any',
    isDoubling: false,
    isLosingOne: false,
    clockAheadSeconds: 0,
    ...options,
  };
}
