import type { Call } from '../contract/request.ts';
import { codes } from '../contract/values.ts';
import { echoCall, probeCall } from '../generators/calls.ts';
import { anyProbe, variedProbes } from '../generators/probes.ts';
import type { Caller } from '../targets/applications.ts';
import { check, property } from './kit/check.ts';
import { premise } from './kit/deviation.ts';
import { isAccepted, summary } from './kit/reply.ts';
import { mostBursts, untilLimited } from './kit/lattice.ts';
import type { Trial } from './kit/trial.ts';

property(
  'rate-limit.refused',
  'a request beyond the rate limit gets 429 with 10009006',
  anyProbe(['echo']),
  async (t, { callAs }) => {
    const caller = await t.callerIn('rate-limited-application');
    t.isRefusedWith(await untilLimited(t, caller, callAs('')), codes.rateLimited);
  },
  { most: mostBursts, mostPolitely: 1 },
);

const limit = 3;
const windowSeconds = 60;
/** Other windows than a service may have by default. */
const [shortSeconds, longSeconds] = [7, 3600];

/** What leaves nothing behind, on an endpoint each: a limit that the control API sets is over all of them. */
const spread: readonly Call[] = (['cnpj-lookup', 'nfe-query', 'chave-lookup'] as const).map((name) =>
  probeCall(name, ''),
);

/** Spends the limit of a fresh window; every request of it is to be served, the one after it refused. */
async function spend(t: Trial, caller: Caller, calls: readonly Call[] = [echoCall('a request')]): Promise<void> {
  for (let sent = 1; sent <= limit; sent++) {
    const exchange = await t.sendUnderLimit(caller, calls[sent % calls.length] ?? echoCall('a request'));
    t.holds(isAccepted(exchange), { expected: `request ${sent} of ${limit} served`, actual: summary(exchange) });
  }
  t.isRefusedWith(await t.sendUnderLimit(caller, echoCall('one too many')), codes.rateLimited, 'the limit is not kept');
}

check(
  'rate-limit.within-limit-served',
  'an application with a limit of 3 gets 3 requests served and the fourth refused',
  async (t) => {
    const caller = await t.target.clockedCaller({ rateLimit: { limit, windowSeconds } });
    const neighbour = await t.target.clockedCaller({ rateLimit: { limit, windowSeconds } });
    for (const each of [neighbour, caller]) await each.advance(2 * windowSeconds);
    // What another application asks at the same time, from the same address, is its own.
    await spend(t, neighbour);
    await spend(t, caller, spread);
    // Two at most in a window of any shape: that is never too much, for however long.
    await caller.advance(2 * windowSeconds);
    for (let sent = 1; sent <= limit + 1; sent++) {
      await caller.advance(windowSeconds - 1);
      const exchange = await t.sendUnderLimit(caller, echoCall('now and then'));
      t.holds(isAccepted(exchange), {
        expected: `request ${sent} of one in a window served`,
        actual: summary(exchange),
      });
    }
  },
  { needs: ['movable-clock'] },
);

const beyondByte = 260;
const burst = Array.from({ length: 8 }, (_, nth) => echoCall(`request ${nth + 1} of a burst`));

check(
  'rate-limit.refused',
  'of eight requests at once an application with a limit of 3 gets no more than 3 served',
  async (t) => {
    const isPolite = t.target.address.maxRps > 0;
    // Where nobody counts requests, so large a limit, too, that a counter of few bits does not hold it.
    for (const most of isPolite ? [limit] : [limit, limit, limit, beyondByte]) {
      const caller = await t.target.clockedCaller({ rateLimit: { limit: most, windowSeconds } });
      await caller.advance(2 * windowSeconds);
      let served = 0;
      for (let sent = 0; sent <= most; sent += burst.length) {
        const answers = await t.sendAtOnce(caller, burst);
        served += answers.filter(({ response }) => response?.status === 200).length;
      }
      t.holds(served <= most, { expected: `${most} served at most`, actual: `${served} served` });
    }
  },
  { needs: ['movable-clock'] },
);

check(
  'rate-limit.refused',
  'an application with a limit of 0 gets 429 on each endpoint',
  async (t) => {
    const caller = await t.target.clockedCaller({ rateLimit: { limit: 0, windowSeconds } });
    await t.each(variedProbes, async ({ name, callAs }) => {
      const exchange = await t.sendUnderLimit(caller, callAs(t.target.address.xmlContentType));
      t.isRefusedWith(exchange, codes.rateLimited, `${name} is served beyond the limit`);
    });
  },
  { needs: ['movable-clock'] },
);

check(
  'rate-limit.refused',
  'an application has its limit still once its secret is rotated',
  async (t) => {
    const before = await t.target.clockedCaller({ rateLimit: { limit: 0, windowSeconds } });
    t.isRefusedWith(await t.sendUnderLimit(before, echoCall('before the rotation')), codes.rateLimited);
    const caller = await t.target.rotate(before);
    const exchange = await t.sendUnderLimit(caller, echoCall('after the rotation'));
    t.isRefusedWith(exchange, codes.rateLimited, 'the limit is that of a secret, and lost with it');
  },
  { needs: ['rotation', 'movable-clock'] },
);

check(
  'rate-limit.refused',
  'in much less than its window an application gets no more than twice its limit, whatever shape the window has',
  async (t) => {
    const caller = await t.target.clockedCaller({ rateLimit: { limit, windowSeconds: longSeconds } });
    await caller.advance(2 * longSeconds);
    let served = 0;
    for (let round = 0; round < 3; round++) {
      for (let sent = 0; sent < limit; sent++) {
        const { response } = await t.sendUnderLimit(caller, echoCall(`request ${sent} of round ${round}`));
        if (response?.status === 200) served += 1;
      }
      await caller.advance(windowSeconds + 1);
    }
    t.holds(served <= 2 * limit, {
      expected: `${2 * limit} served at most in 2 minutes of a window of an hour`,
      actual: `${served} served`,
    });
  },
  { needs: ['movable-clock'] },
);

check(
  'rate-limit.served-again',
  'two windows later an application that was limited gets its whole limit again',
  async (t) => {
    const caller = await t.target.clockedCaller({ rateLimit: { limit, windowSeconds: shortSeconds } });
    await caller.advance(2 * shortSeconds);
    await premise(() => spend(t, caller));
    await caller.advance(2 * shortSeconds);
    await spend(t, caller);
  },
);
