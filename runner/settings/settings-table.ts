import { assuranceLevels } from '../../contract/clause.ts';
import {
  anyText,
  baseUrl,
  contentType,
  filePath,
  flag,
  headerPrefix,
  integer,
  language,
  listenAddress,
  notNegative,
  oneOf,
  pathSegment,
  secretText,
  wholeUrl,
  type SettingKind,
  wordOfLocale,
} from './setting-kinds.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** One setting: its public name, what it takes, and what holds without it. */
export interface Setting {
  readonly name: string;
  readonly takes: SettingKind<unknown>;
  /** The text that holds when it is unset. */
  readonly default?: string;
  /** The same on a sandbox, where that differs. */
  readonly sandboxDefault?: string;
  /** The same for the container, where that differs. */
  readonly containerDefault?: string;
  /** The text that the environment makes hold when it is unset, and those words for it. */
  readonly defaultIn?: { readonly text: (environment: Environment) => string; readonly words: string };
  readonly description: string;
  /** Masked in everything that a run prints or writes. */
  readonly secret?: boolean;
}

/** Every setting, by the field under which the program reads it, in the order of `.env.example`. */
export const settingsTable = {
  // What is tested
  target: {
    name: 'NFE_TARGET',
    takes: oneOf(['embedded', 'container', 'sandbox']),
    default: 'embedded',
    sandboxDefault: 'sandbox',
    description:
      'What is tested: the simulator inside the run, the same in a container, or a server that is already up.',
  },
  baseUrl: {
    name: 'NFE_BASE_URL',
    takes: baseUrl,
    description: 'Address of the sandbox, up to the place where /openapi begins.',
  },

  // Applications of the sandbox
  appSecret: {
    name: 'NFE_APP_SECRET',
    takes: secretText,
    description: 'App Secret of an active application subscribed to everything.',
    secret: true,
  },
  appKey: {
    name: 'NFE_APP_KEY',
    takes: anyText,
    description: 'App Key that the echo endpoint must give for it.',
  },
  appName: {
    name: 'NFE_APP_NAME',
    takes: anyText,
    description: 'Application name that the echo endpoint must give for it.',
  },
  appSecretDisabled: {
    name: 'NFE_APP_SECRET_DISABLED',
    takes: secretText,
    description: 'App Secret of an application that was disabled.',
    secret: true,
  },
  appSecretPending: {
    name: 'NFE_APP_SECRET_PENDING',
    takes: secretText,
    description: 'App Secret of an application that still waits for approval.',
    secret: true,
  },
  appSecretRejected: {
    name: 'NFE_APP_SECRET_REJECTED',
    takes: secretText,
    description: 'App Secret of an application whose approval was refused.',
    secret: true,
  },
  appSecretIntegratorDisabled: {
    name: 'NFE_APP_SECRET_INTEGRATOR_DISABLED',
    takes: secretText,
    description: 'App Secret of an application whose integrator account is disabled.',
    secret: true,
  },
  appSecretUnsubscribed: {
    name: 'NFE_APP_SECRET_UNSUBSCRIBED',
    takes: secretText,
    description: 'App Secret of an active application without a single subscription.',
    secret: true,
  },
  appSecretRateLimited: {
    name: 'NFE_APP_SECRET_RATE_LIMITED',
    takes: secretText,
    description: 'App Secret of an application that the suite may drive into 429.',
    secret: true,
  },
  appSecretRotated: {
    name: 'NFE_APP_SECRET_ROTATED',
    takes: secretText,
    description: 'A former App Secret, no longer valid since a rotation.',
    secret: true,
  },
  verificationWebhookUrl: {
    name: 'NFE_VERIFICATION_WEBHOOK_URL',
    takes: wholeUrl,
    description: 'Console-saved address for verification events, if it ends at the webhook receiver of the suite.',
  },

  // What the contract leaves open
  empresaId: {
    name: 'NFE_EMPRESA_ID',
    takes: pathSegment,
    description: 'Company with a certificate to use; without it the suite registers its own.',
  },
  profile: {
    name: 'NFE_PROFILE',
    takes: filePath,
    default: 'profiles/default',
    description: 'Folder with the request bodies that the contract does not show.',
  },

  // Control API
  controlUrl: {
    name: 'NFE_CONTROL_URL',
    takes: baseUrl,
    description: 'Address of the control API of the target, up to the place where /control/v1 begins.',
  },
  controlToken: {
    name: 'NFE_CONTROL_TOKEN',
    takes: secretText,
    description: 'Bearer token of the control API.',
    secret: true,
  },

  // Webhooks
  webhookListen: {
    name: 'NFE_WEBHOOK_LISTEN',
    takes: listenAddress,
    default: '127.0.0.1:0',
    containerDefault: '0.0.0.0:0',
    description: 'Where the webhook receiver of the suite listens; port 0 picks a free one.',
  },
  webhookPublicUrl: {
    name: 'NFE_WEBHOOK_PUBLIC_URL',
    takes: baseUrl,
    description: 'Address by which the target reaches that receiver; without it, where it listens.',
  },
  webhookHeaderPrefix: {
    name: 'NFE_WEBHOOK_HEADER_PREFIX',
    takes: headerPrefix,
    default: 'X-Service',
    description: 'What the names of the five X- headers of a delivery begin with.',
  },

  // How the run goes
  xmlContentType: {
    name: 'NFE_XML_CONTENT_TYPE',
    takes: contentType,
    default: 'application/xml',
    description: 'Content-Type with which XML is sent for verification.',
  },
  numRuns: {
    name: 'NFE_NUM_RUNS',
    takes: integer(1, 100_000),
    default: '100',
    sandboxDefault: '10',
    description: 'How many cases are generated for each property, of which the same one is tried three times at most.',
  },
  seed: {
    name: 'NFE_SEED',
    takes: integer(-(2 ** 31), 2 ** 31 - 1),
    description: 'Seed of all generators, to repeat a run; without it each run draws one.',
  },
  strict: {
    name: 'NFE_STRICT',
    takes: flag,
    default: 'false',
    description: 'Whether a failed check of a clause that is only implied fails the run.',
  },
  slow: {
    name: 'NFE_SLOW',
    takes: flag,
    default: 'false',
    description: 'Whether to run what takes minutes or hours on a target whose clock cannot be moved.',
  },
  requireComplete: {
    name: 'NFE_REQUIRE_COMPLETE',
    takes: flag,
    default: 'false',
    description: 'Whether a must clause that no check could exercise fails the run.',
  },
  requireLevel: {
    name: 'NFE_REQUIRE_LEVEL',
    takes: oneOf(assuranceLevels),
    description: 'Level of assurance that a run of the whole suite has to complete; one that does not fails.',
  },
  maxRps: {
    name: 'NFE_MAX_RPS',
    takes: notNegative,
    default: '0',
    sandboxDefault: '5',
    description: 'Most requests a second that the target is sent; 0 sets no limit.',
  },
  rateBurst: {
    name: 'NFE_RATE_BURST',
    takes: integer(1, Number.MAX_SAFE_INTEGER),
    default: '200',
    description: 'Most requests sent at full speed with the rate-limited application to see a 429.',
  },
  burst: {
    name: 'NFE_BURST',
    takes: integer(1, 100),
    default: '8',
    description: 'Most requests under way, and connections, at once on a sandbox; 1: one after the other.',
  },
  settleTimeoutSeconds: {
    name: 'NFE_SETTLE_TIMEOUT',
    takes: integer(1, 86_400),
    default: '60',
    description: 'Seconds to wait for what the target does later, where its clock cannot be moved.',
  },
  allowProducao: {
    name: 'NFE_ALLOW_PRODUCAO',
    takes: flag,
    default: 'false',
    description: 'Whether a sandbox may be sent ambienteEmissao Producao.',
  },

  show: {
    name: 'NFE_SHOW',
    takes: oneOf(['allowed', 'all']),
    default: 'allowed',
    description:
      'What reports show of the values that a sandbox sends: those that tell of nobody, or all but secrets and links.',
  },

  language: {
    name: 'NFE_LANGUAGE',
    takes: language,
    defaultIn: { text: wordOfLocale, words: 'the locale’s' },
    description: 'Language of terminal, doctor and summary.md.',
  },

  // Results
  reportDir: {
    name: 'NFE_REPORT_DIR',
    takes: filePath,
    default: 'reports/out',
    description: 'Folder that the results are written to.',
  },
  baseline: {
    name: 'NFE_BASELINE',
    takes: filePath,
    description: 'results.json of an earlier run that the report compares this one with.',
  },
  history: {
    name: 'NFE_HISTORY',
    takes: filePath,
    description: 'History that each run is added to; without it, history.jsonl in NFE_REPORT_DIR.',
  },
  knownDeviations: {
    name: 'NFE_KNOWN_DEVIATIONS',
    takes: filePath,
    description:
      'JSON file of deviations that are accepted for now: clause id, and a reason or entries that say what they cover.',
  },
} as const satisfies Record<string, Setting>;
