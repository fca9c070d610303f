/** What a foreign server can be started with, so that one point at a time is other than its own profile promises. */
export interface ForeignOptions {
  /** The secret of the active application; drawn where it is empty. */
  readonly secret?: string;
  /** In front of `/openapi`; never signed. */
  readonly prefix?: string;
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
  /** When an event is tried again, counted from its first attempt. */
  readonly retryDelaysMs?: readonly number[];
  /** What the rate-limited application may send in each window. */
  readonly rate?: { readonly limit: number; readonly windowMs: number };
  /** How far its clock runs ahead of this machine's. */
  readonly clockAheadSeconds?: number;
}

export type Settings = Required<ForeignOptions>;

const minute = 60_000;

/** The options with what is left out filled in. */
export function settingsOf(options: ForeignOptions): Settings {
  return {
    secret: '',
    prefix: '/nfe-gw',
    settleMs: 300,
    issuance: 'strict',
    documents: 'own',
    numbers: 'own',
    companies: 'any',
    certificates: 'any',
    isDoubling: false,
    retryDelaysMs: [minute, 5 * minute, 30 * minute, 120 * minute, 360 * minute],
    rate: { limit: 10, windowMs: minute },
    clockAheadSeconds: 0,
    ...options,
  };
}
