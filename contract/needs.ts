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
  /** Only a target that the suite starts itself supplies it. */
  readonly isOwnTargetOnly?: boolean;
}

/** All needs, by the name under which clauses and checks ask for them. */
export const needs = {
  'known-app-key': { text: 'an application whose appKey is known', settings: ['NFE_APP_KEY'] },
  'known-app-name': { text: 'an application whose appName is known', settings: ['NFE_APP_NAME'] },
  'rotated-secret': { text: 'a secret that a rotation has made invalid', settings: ['NFE_APP_SECRET_ROTATED'] },
  'disabled-application': { text: 'an application that is disabled', settings: ['NFE_APP_SECRET_DISABLED'] },
  'pending-application': { text: 'an application that awaits approval', settings: ['NFE_APP_SECRET_PENDING'] },
  'rejected-application': { text: 'an application that was rejected', settings: ['NFE_APP_SECRET_REJECTED'] },
  'application-of-disabled-integrator': {
    text: 'an application of an integrator whose account is disabled',
    settings: ['NFE_APP_SECRET_INTEGRATOR_DISABLED'],
  },
  'unsubscribed-application': {
    text: 'an application without any subscription',
    settings: ['NFE_APP_SECRET_UNSUBSCRIBED'],
  },
  'rate-limited-application': {
    text: 'an application that may be driven into 429',
    settings: ['NFE_APP_SECRET_RATE_LIMITED'],
  },
  'chosen-application': { text: 'an application made as the check wants it', settings: [] },
  rotation: { text: 'an application whose secret can be rotated', settings: [] },
  'movable-clock': { text: 'a clock that can be moved', settings: [] },
  'own-target': {
    text: 'a target of our own, where no invoice can become a real one',
    settings: [],
    isOwnTargetOnly: true,
  },
  'passing-time': {
    text: 'minutes that pass: a clock that can be moved, or patience',
    settings: ['NFE_SLOW'],
  },
  callbacks: {
    text: 'a webhook receiver that the target reaches',
    settings: ['NFE_WEBHOOK_PUBLIC_URL'],
  },
  'verification-webhook': {
    text: 'verification events that lead to our receiver',
    settings: ['NFE_VERIFICATION_WEBHOOK_URL', 'NFE_WEBHOOK_PUBLIC_URL'],
  },
  'stored-deliveries': {
    text: 'deliveries that an earlier `npm run receiver` stored',
    settings: [],
    argument: '--received FOLDER',
  },
  'empresa-registration': {
    text: 'a company that the suite registers itself',
    settings: [],
    profileFiles: ['empresa.json', 'certificado.json', 'certificado.pfx'],
  },
  empresa: {
    text: 'a company with a certificate',
    settings: ['NFE_EMPRESA_ID'],
    profileFiles: ['empresa.json', 'certificado.json', 'certificado.pfx'],
  },
  'other-empresa': {
    text: 'a second company',
    settings: [],
    profileFiles: ['outra-empresa.json', 'outro-certificado.pfx', 'certificado.json'],
  },
  'authorised-issuance': {
    text: 'an issuance that is authorised',
    settings: [],
    profileFiles: ['nf-e.autorizada.json'],
  },
  'denied-issuance': { text: 'an issuance that is denied', settings: [], profileFiles: ['nf-e.negada.json'] },
  'refused-issuance': { text: 'an issuance that is refused', settings: [], profileFiles: ['nf-e.invalida.json'] },
  'valid-document': {
    text: 'a document that is found valid',
    settings: [],
    profileFiles: ['verificacao.autorizada.xml'],
  },
  'rejected-document': {
    text: 'a document that is rejected',
    settings: [],
    profileFiles: ['verificacao.rejeitada.xml'],
  },
  'registry-numbers': {
    text: 'numbers that the registries know and numbers that they do not',
    settings: [],
    profileFiles: ['consultas.json'],
  },
} as const satisfies Record<string, Need>;

export type NeedName = keyof typeof needs;

/** What to do so that a need is met: "set NFE_…", or what to pass on the command line. */
export function remedyFor(need: NeedName): string {
  const { settings, profileFiles, isOwnTargetOnly, argument }: Need = needs[need];
  if (argument !== undefined) return `pass ${argument}`;
  if (isOwnTargetOnly) return 'set NFE_TARGET to embedded or container';
  const bySettings = settings.length === 0 ? [] : [settings.join(' with ')];
  const otherwise = profileFiles
    ? `NFE_PROFILE to a folder with ${profileFiles.join(', ')}`
    : 'NFE_CONTROL_URL with NFE_CONTROL_TOKEN';
  return `set ${[...bySettings, otherwise].join(', or ')}`;
}
