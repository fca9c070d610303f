import type { Step } from '../../../schemas/evidence.ts';
import { atOf, endOf, env, madeIn, type Call } from './kit.ts';
import { isUpload } from './profile.ts';
import { plainTokenBytes } from './receiver.ts';
import { controlAt, noControl } from './requests.ts';

/** Why a step can't be repeated, whatever is at hand; `undefined` where it can. */
export function lackOf(step: Step): string | undefined {
  if (step.kind === 'steering') {
    return controlAt() ? undefined : noControl;
  }
  const { request } = step.evidence;
  const what = `${request.method} ${request.target}`;
  if (step.kind !== 'call') return undefined;
  if (step.isFlawed) return `${what} was signed in a way that the report does not tell`;
  if (!request.body?.cut) return undefined;
  if (!isUpload(step)) return `the body of ${what} is too long for the report`;
  return env['NFE_PROFILE']
    ? undefined
    : 'NFE_PROFILE is not set: the folder with the certificate that the run uploaded';
}

/** Steps that were under way at once, and deliveries that nothing but deliveries stands between. */
export function togetherIn(steps: readonly Step[]): Step[][] {
  const groups: Step[][] = [];
  let end = -Infinity;
  for (const step of steps) {
    const last = groups.at(-1);
    const isAlongside = step.kind === 'call' && last?.[0]?.kind === 'call' && atOf(step) + 1 < end && !step.isSetUp;
    if (isAlongside) last.push(step);
    else groups.push([step]);
    if (step.kind === 'call') end = isAlongside ? Math.min(end, endOf(step)) : endOf(step);
  }
  return groups;
}

/** What came to an address in the run. */
export function deliveriesTo(steps: readonly Step[], address: string): Call[] {
  return steps.filter((step): step is Call => step.kind === 'delivery' && step.address === address);
}

/** Registrations of the addresses that were registered before the steps began, by an application that was there before. */
export function ownRegistrations(steps: readonly Step[]): Step[] {
  const known = new Set(steps.flatMap((step) => (step.kind === 'call' ? (step.address ?? []) : [])));
  const made = madeIn(steps);
  const first = Math.min(...steps.map(atOf));
  return steps.flatMap((step): Step[] => {
    if (step.kind !== 'delivery' || step.address === undefined || known.has(step.address)) return [];
    if (made.has(step.application ?? '')) return [];
    known.add(step.address);
    return [registrationOf(step, step.address, first)];
  });
}

/** A delivery may have called another address than the one that was registered. */
function registrationOf({ application, registered, evidence }: Call, address: string, at: number): Step {
  const { target, tokenBytes = plainTokenBytes } = registered ?? { target: evidence.request.target };
  const written = (token: string): string => JSON.stringify({ uri: `http://run.invalid${target}`, token });
  const bytes = Buffer.byteLength(written('')) + tokenBytes;
  const body = { text: written('$WEBHOOK_TOKEN'), bytes, encoding: 'utf-8' as const };
  // The application of the run goes by its App Key where that is set.
  const secret = `$${application?.startsWith('NFE_') ? application : 'NFE_APP_SECRET'}`;
  const request = { method: 'POST', target: '/openapi/v1/webhooks', body };
  return {
    kind: 'call',
    isSetUp: true,
    address,
    ...(application === undefined ? {} : { application }),
    evidence: {
      at,
      durationMs: 0,
      request: {
        ...request,
        headers: [
          ['token', secret],
          ['timestamp', ''],
          ['sign', ''],
          ['content-type', 'application/json'],
        ],
      },
      response: { status: 200, headers: [], body: { text: '', bytes: 0, encoding: 'utf-8' } },
    },
  };
}
