import { NotExercised } from '../../targets/not-exercised.ts';
import type { Stray } from '../../targets/receiver/receiver.ts';
import { Deviation } from './deviation.ts';
import type { Trial } from './trial.ts';

/** Whether deliveries of the target are known to arrive in this run. */
export function isReached({ target }: Trial): boolean {
  return target.address.control !== undefined || target.ledger.arrivals() > 0;
}

/** What a missing delivery is: the target's fault where it is known to reach us, else nobody's. */
export function missing(t: Trial, what: string): Deviation | NotExercised {
  return isReached(t) ? new Deviation({ expected: what, actual: 'none came', restsOnTime: true }) : unreached(t);
}

/** Why nobody is to blame where nothing has arrived. */
export function unreached({ target }: Trial): NotExercised {
  const stray = target.ledger.stray();
  if (stray !== undefined) return new NotExercised(strayCame[stray]);
  const place = target.address.webhook.publicUrl ?? 'the receiver';
  return new NotExercised(`no delivery of any kind has arrived in this run: see whether the target reaches ${place}`);
}

/** Why nothing is seen to arrive, where something else came. */
const strayCame: Readonly<Record<Stray, string>> = {
  'other-path':
    'no delivery of any kind has arrived in this run: what came was sent to a path that is no address of the receiver; see what stands before it',
  tls: 'no delivery of any kind has arrived in this run: what came speaks TLS, and the receiver plain HTTP; have TLS end before it',
  'bad-target':
    'no delivery of any kind has arrived in this run: what came has characters in its request target that none may have unescaped',
  'no-http': 'no delivery of any kind has arrived in this run: what came is no request of HTTP/1',
};

/** The same of a delivery that a check builds on: that it comes has a clause of its own. */
export function lacking(t: Trial, what: string): Deviation | NotExercised {
  const found = missing(t, what);
  return found instanceof Deviation ? found.asPremise() : found;
}
