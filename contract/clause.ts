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

/** What these settings together supply, each beyond the secret of an application. */
function bySettings(text: string, ...settings: readonly string[]): Need {
  return { text, settings, level: 'credentials' };
}

function byProfile(text: string, ...profileFiles: readonly string[]): Need {
  return { text, settings: [], profileFiles, level: 'credentials' };
}

function byControl(text: string): Need {
  return { text, settings: [], level: 'control' };
}

/** All needs, by the name under which clauses and checks ask for them. */
export const needs = {
  'known-app-key': bySettings('an application whose appKey is known', 'NFE_APP_KEY'),
  'known-app-name': bySettings('an application whose appName is known', 'NFE_APP_NAME'),
  'rotated-secret': bySettings('a secret that a rotation has made invalid', 'NFE_APP_SECRET_ROTATED'),
  'disabled-application': bySettings('an application that is disabled', 'NFE_APP_SECRET_DISABLED'),
  'pending-application': bySettings('an application that awaits approval', 'NFE_APP_SECRET_PENDING'),
  'rejected-application': bySettings('an application that was rejected', 'NFE_APP_SECRET_REJECTED'),
  'application-of-disabled-integrator': bySettings(
    'an application of an integrator whose account is disabled',
    'NFE_APP_SECRET_INTEGRATOR_DISABLED',
  ),
  'unsubscribed-application': bySettings('an application without any subscription', 'NFE_APP_SECRET_UNSUBSCRIBED'),
  'rate-limited-application': bySettings('an application that may be driven into 429', 'NFE_APP_SECRET_RATE_LIMITED'),
  'chosen-application': byControl('an application made as the check wants it'),
  rotation: byControl('an application whose secret can be rotated'),
  'movable-clock': byControl('a clock that can be moved'),
  'real-issuance': bySettings('leave to send what might issue a real invoice', 'NFE_ALLOW_PRODUCAO'),
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
  'empresa-registration': byProfile(
    'a company that the suite registers itself',
    'empresa.json',
    'certificado.json',
    'certificado.pfx',
  ),
  empresa: {
    text: 'a company with a certificate',
    settings: ['NFE_EMPRESA_ID'],
    profileFiles: ['empresa.json', 'certificado.json', 'certificado.pfx'],
    level: 'credentials',
  },
  'other-empresa': byProfile('a second company', 'outra-empresa.json', 'outro-certificado.pfx', 'certificado.json'),
  'accepted-issuance': byProfile('an issuance that is accepted, whatever comes of it', 'nf-e.autorizada.json'),
  'authorised-issuance': byProfile('an issuance that is authorised', 'nf-e.autorizada.json'),
  'denied-issuance': byProfile('an issuance that is denied', 'nf-e.negada.json'),
  'refused-issuance': byProfile('an issuance that is refused', 'nf-e.invalida.json'),
  'verified-document': byProfile('a document that gets a verdict, whichever', 'verificacao.autorizada.xml'),
  'valid-document': byProfile('a document that is found valid', 'verificacao.autorizada.xml'),
  'rejected-document': byProfile('a document that is rejected', 'verificacao.rejeitada.xml'),
  'known-cnpj': byProfile('a CNPJ that the registry knows', 'consultas.json'),
  'unknown-cnpj': byProfile('a CNPJ that the registry does not know', 'consultas.json'),
  'known-cpf': byProfile('a CPF and birth date that the registry knows', 'consultas.json'),
  'unknown-cpf': byProfile('a CPF that the registry does not know', 'consultas.json'),
} satisfies Record<string, Need>;

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
const levels = ['must', 'should', 'implied'] as const;

export type Level = (typeof levels)[number];

/** Whom a clause binds. Only the service's clauses are judged by a run against a target. */
export type Party = 'service' | 'receiver' | 'client';

/** The companies that a check may need, by the names of their needs. */
export const companies = ['empresa', 'other-empresa'] as const;

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
  /** The companies that some of its checks need besides: they are registered before the first check. */
  readonly someNeed?: readonly (typeof companies)[number][];
  /**
   * The clauses that it stands on, by their ids: where a target breaks one of these, nothing can be told of this one, or its check
   * fails for that alone. What those stand on in turn is left out. Of a clause that a run judges, unless it says something else:
   * that a correct request passes.
   */
  readonly buildsOn?: readonly string[];
  /** Why no black box can observe it; a clause that has this has no checks. */
  readonly unobservable?: string;
}

/** A clause as it is written down: one that the contract states, and that binds the service, need not say so. */
export type StatedClause = Omit<Clause, 'level' | 'binds'> & Partial<Pick<Clause, 'level' | 'binds'>>;

/** The clauses which promise a callback: what is seen in callbacks stands on them. Section 6. */
export const promisesOfCallbacks = [
  'issuance-callback.called-back-when-authorised',
  'issuance-callback.called-back-when-denied',
] as const;

/** The clause which promises an event of a verdict. Section 6.6. */
export const promiseOfVerdicts = 'verdict-event.sent-when-settled';

/** All that promise a delivery, on either channel: what is seen in any delivery stands on them. */
export const promisesOfDelivery = [...promisesOfCallbacks, promiseOfVerdicts] as const;
