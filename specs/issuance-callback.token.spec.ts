import type { Caller } from '../targets/applications.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { wasTested } from './kit/address-tests.ts';
import {
  headerOfArrival,
  hidden,
  neededCallback,
  newToken,
  ownCallbacks,
  register,
  type OwnCallbacks,
} from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import { drivenProperty } from './kit/driven-callbacks.ts';
import { isSuccess, issue, issuerOf, withEmpresa } from './kit/life-cycle.ts';
import { briefly } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';

/** Another token of an address that is registered already. */
async function registeredAnew(
  t: Trial,
  caller: Caller,
  inbox: OwnCallbacks['inbox'],
  token = newToken(t),
): Promise<string> {
  t.announce(inbox, 'issuance', caller, token);
  const exchange = await register(t, caller, inbox.url, token);
  if (!isSuccess(exchange)) throw new NotExercised(`the address was not registered again: ${briefly(exchange)}`);
  return token;
}

check(
  'issuance-callback.token',
  'the `token` header comes with a callback that is pushed again by hand',
  async (t) => {
    const issuer = await withEmpresa(t, await t.target.clockedCaller());
    const { inbox } = await ownCallbacks(t, issuer.caller);
    const callbacks = { inbox, token: await registeredAnew(t, issuer.caller, inbox) };
    // A token belongs to the application that registered it: another one has the same address with a token of its own.
    const stranger = await t.callerLike({ appName: 'Another integrator' });
    if (!wasTested(inbox)) await register(t, stranger, callbacks.inbox.url, newToken(t));
    const { nfeId } = await issue(t, issuer);
    const arrival = await neededCallback(t, issuer, callbacks, { nfeId, outcome: 'Autorizada' });
    await t.target.redeliver(issuer.caller, headerOfArrival(t, arrival, 'Event-Id') ?? '');
    if ('advance' in issuer.caller) await issuer.caller.advance(0);
    t.received(...callbacks.inbox.arrivals());
  },
  { needs: ['movable-clock'] },
);

check(
  'issuance-callback.token',
  'two addresses get each the token that was registered with it last',
  async (t) => {
    const issuer = await issuerOf(t);
    const first = await ownCallbacks(t, issuer.caller);
    const last = await ownCallbacks(t, issuer.caller);
    // Another one though only the case of its letters is: a token is sent back verbatim.
    await registeredAnew(t, issuer.caller, first.inbox, hidden(t, first.token.toUpperCase()));
    // What is refused changes nothing.
    await register(t, issuer.caller, 'ftp://receiver.example/nf-e', newToken(t));
    const { nfeId } = await issue(t, issuer);
    await neededCallback(t, issuer, first, { nfeId, outcome: 'Autorizada' });
    t.received(...first.inbox.arrivals(), ...last.inbox.arrivals());
  },
  { needs: ['chosen-application'] },
);

drivenProperty('issuance-callback.token', 'any token comes back with each attempt');
