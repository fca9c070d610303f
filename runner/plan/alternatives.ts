import type { Run, TargetAddress } from '../../targets/address.ts';

/** Another way to set a run, which may save something. */
export interface Alternative {
  /** What would be changed, as one writes it. */
  readonly change: string;
  readonly run: Run;
}

/** The other ways to set a run that anybody has at hand; the name of each run is the change. */
export function alternatives(run: Run): readonly Alternative[] {
  const { address } = run;
  const found: (readonly [string, Partial<Run>] | undefined)[] = [
    address.control || address.empresas?.own
      ? undefined
      : ['NFE_EMPRESA_ID set', { address: { ...address, empresas: { own: { empresaId: 'a company of yours' } } } }],
    ['NFE_PROFILE without outra-empresa.json', { address: withoutFile(address, 'outra-empresa.json') }],
    address.webhook.publicUrl === undefined
      ? undefined
      : [
          'NFE_WEBHOOK_PUBLIC_URL unset',
          { address: { ...address, webhook: { ...address.webhook, isReachable: false } } },
        ],
    address.isSlow ? ['NFE_SLOW=false', { address: { ...address, isSlow: false } }] : undefined,
    run.numRuns < 2 ? undefined : halved(run.numRuns),
    address.maxRps === 0
      ? undefined
      : [`NFE_MAX_RPS=${address.maxRps * 2}`, { address: { ...address, maxRps: address.maxRps * 2 } }],
  ];
  return found
    .filter((one) => one !== undefined)
    .map(([change, part]) => ({ change, run: { ...run, ...part, name: change } }));
}

function halved(numRuns: number): readonly [string, Partial<Run>] {
  const half = Math.floor(numRuns / 2);
  return [`NFE_NUM_RUNS=${half}`, { numRuns: half }];
}

function withoutFile(address: TargetAddress, file: string): TargetAddress {
  const files = address.profile.files.filter((name) => name !== file);
  return { ...address, profile: { ...address.profile, files } };
}
