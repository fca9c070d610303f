import type { ClauseId } from '../../contract/catalogue.ts';
import { isReceived } from '../../trace/links.ts';
import type { Veil } from '../../trace/people/veil.ts';
import type { Arrival } from '../../client/receiver-arrival.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import { comparedWay } from '../../schemas/way.ts';
import type { Run, TargetAddress } from '../../targets/address.ts';
import type { Target } from '../../targets/target.ts';
import { deliveryShown } from './shown.ts';
import { signatureFault } from '../../trace/delivery-signature.ts';
import type { TrialRecord } from './trial.ts';

/** The clause that these outcomes are of, and the title that they have. */
export const everySignature = {
  clause: 'webhook-signature.every-delivery',
  name: 'every delivery that any check received carries a right signature',
} as const satisfies { clause: ClauseId; name: string };

const { clause, name } = everySignature;

const longestBody = 20_000;

/** The secrets of the applications of a check: one of them signs whatever the target sends there. */
function signingSecrets({ credentials }: TargetAddress, secrets: Target['secrets']): readonly string[] {
  const { active } = credentials;
  const made = [...secrets].filter(([, stand]) => !isReceived(stand)).map(([secret]) => secret);
  return [...made, ...(active === undefined ? [] : [active])];
}

/**
 * Whether a delivery is surely the target's: it is signed right, but perhaps for the letters of its hex. At an address that
 * others know, anybody may leave something.
 */
export function isSurelySent(arrival: Arrival, { address, secrets }: Pick<Target, 'address' | 'secrets'>): boolean {
  const { headerPrefix } = address.webhook;
  return signingSecrets(address, secrets).some((appSecret) => {
    const fault = signatureFault(arrival, { appSecret, headerPrefix, otherKeys: {} });
    return fault === undefined || fault.clause === 'webhook-signature.lowercase-hex';
  });
}

/** What the deliveries that a check received say of their signatures, whatever the check was about; nothing without any. */
export function signaturesOf(
  { received }: TrialRecord,
  { address, clauses }: Run,
  { secrets }: Target,
  veil: Veil,
  file: string,
): readonly CheckOutcome[] {
  if (received.size === 0 || !clauses.includes(clause)) return [];
  const keys = signingSecrets(address, secrets);
  const { headerPrefix } = address.webhook;
  const isSigned = (arrival: Arrival): boolean =>
    keys.some((appSecret) => signatureFault(arrival, { appSecret, headerPrefix, otherKeys: {} }) === undefined);
  const wrong = [...received].find((arrival) => !isSigned(arrival));
  const base = { name, file, durationMs: 0, cases: received.size, assertions: received.size };
  if (!wrong) return [{ clause, shapes: [], order: [], result: { ...base, state: 'passed' } }];
  const error = {
    title: name,
    expected: 'the HMAC-SHA256 of timestamp, dot and raw body, by the App Secret, in lowercase hex',
    actual: 'another signature, or none',
  };
  const exchanges = [deliveryShown(wrong, veil, longestBody)];
  const replay = `npm test -- --clause ${clause}`;
  const ways = [comparedWay(error)];
  return [{ clause, shapes: [], order: [], result: { ...base, state: 'failed', error, replay, exchanges, ways } }];
}
