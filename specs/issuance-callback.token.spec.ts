import { NotExercised } from '../targets/not-exercised.ts';
import {
  callbacksFor,
  headerOfArrival,
  missing,
  neededCallback,
  newToken,
  ownCallbacks,
  register,
} from './kit/callbacks.ts';
import { check } from './kit/check.ts';
import { drivenProperty } from './kit/driven-callbacks.ts';
import { isSuccess, issue, issuerOf, withEmpresa } from './kit/life-cycle.ts';
import { briefly } from './kit/reply.ts';

check(
  'issuance-callback.token',
  'the `token` header comes with a callback that is pushed again by hand',
  async (t) => {
    const issuer = await withEmpresa(t, await t.target.clockedCaller());
    const callbacks = await ownCallbacks(t, issuer.caller);
    // A token belongs to the application that registered it: another one has the same address with a token of its own.
    const stranger = await t.callerLike({ appName: 'Another integrator' });
    await register(t, stranger, callbacks.inbox.url, newToken(t));
    const { nfeId } = await issue(t, issuer);
    const [arrival] = await callbacksFor(t, issuer, callbacks, nfeId);
    if (!arrival) throw missing(t, `a callback of the invoice ${nfeId}`);
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
    const token = newToken(t);
    t.announce(first.inbox, 'issuance', issuer.caller, token);
    const exchange = await register(t, issuer.caller, first.inbox.url, token);
    if (!isSuccess(exchange)) throw new NotExercised(`the address was not registered again: ${briefly(exchange)}`);
    // What is refused changes nothing.
    await register(t, issuer.caller, 'ftp://receiver.example/nf-e', newToken(t));
    const { nfeId } = await issue(t, issuer);
    await neededCallback(t, issuer, first, { nfeId, outcome: 'Autorizada' });
    t.received(...first.inbox.arrivals(), ...last.inbox.arrivals());
  },
  { needs: ['chosen-application'] },
);

drivenProperty('issuance-callback.token', 'any token comes back with each attempt');
