import type { ClauseId } from '../../contract/catalogue.ts';
import { isReceived } from '../../trace/links.ts';
import type { Veil } from '../../trace/people/veil.ts';
import type { Arrival } from '../../client/receiver-arrival.ts';
import type { CheckOutcome } from '../../schemas/results.ts';
import { comparedWay } from '../../schemas/way.ts';
import type { Run } from '../../targets/address.ts';
import type { Target } from '../../targets/target.ts';
import { deliveryShown } from './shown.ts';
import { signatureFault } from './signatures.ts';
import type { TrialRecord } from './trial.ts';

/** The clause that these outcomes are of, and the title that they have. */
export const everySignature = {
  clause: 'webhook-signature.every-delivery',
  name: 'every delivery that any check received carries a right signature',
} as const satisfies { clause: ClauseId; name: string };

const { clause, name } = everySignature;

const longestBody = 20_000;

/** What the deliveries that a check received say of their signatures, whatever the check was about; nothing without any. */
export function signaturesOf(
  { received }: TrialRecord,
  { address, clauses }: Run,
  { secrets }: Target,
  veil: Veil,
  file: string,
): readonly CheckOutcome[] {
  if (received.size === 0 || !clauses.includes(clause)) return [];
  const { active } = address.credentials;
  const made = [...secrets].filter(([, stand]) => !isReceived(stand)).map(([secret]) => secret);
  const keys = [...made, ...(active === undefined ? [] : [active])];
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
