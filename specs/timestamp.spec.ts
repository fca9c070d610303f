import fc from 'fast-check';
import { limits } from '../contract/limits.ts';
import { echoCall } from '../generators/calls.ts';
import { timestampOffBy, timestampWritten, type Flaw } from '../generators/flaws.ts';
import { check, property } from './kit/check.ts';

const tolerance = limits.timestampToleranceSeconds;

/** On a clock that runs, how far from the edge a check stays: requests take time, and the skew is measured in whole seconds. */
const marginSeconds = 5;

const tooFarHint = 'the tolerance is wider than 300 seconds on this side, or not checked';

check('timestamp.server-time-accepted', 'server time in Unix seconds is accepted', async (t) => {
  await t.accepts(await t.caller(), echoCall('now'));
});

const sides = [
  { accepted: 'timestamp.past-accepted', refused: 'timestamp.past-refused', sign: -1, words: 'behind' },
  { accepted: 'timestamp.future-accepted', refused: 'timestamp.future-refused', sign: 1, words: 'ahead of' },
] as const;

for (const { accepted, refused, sign, words } of sides) {
  property(
    accepted,
    `a timestamp up to 295 seconds ${words} the measured server time is accepted`,
    fc.integer({ min: 1, max: tolerance - marginSeconds }),
    async (t, seconds) => {
      await t.accepts(await t.caller(), echoCall('within the tolerance'), timestampOffBy(sign * seconds).apply);
    },
    { examples: [tolerance - marginSeconds, 1] },
  );

  check(
    accepted,
    `a timestamp exactly 300 seconds ${words} a standing clock is accepted`,
    async (t) => {
      const caller = await t.target.clockedCaller();
      await t.accepts(caller, echoCall('at the edge'), timestampOffBy(sign * tolerance).apply);
      await t.accepts(caller, echoCall('before the edge'), timestampOffBy(sign * (tolerance - 1)).apply);
    },
    { needs: ['movable-clock'] },
  );

  property(
    refused,
    `a timestamp 305 seconds or more ${words} the measured server time gets 401 with 10009001`,
    fc.oneof(
      fc.integer({ min: tolerance + marginSeconds, max: 2 * tolerance }),
      fc.integer({ min: tolerance + marginSeconds, max: 10 * 365 * 86_400 }),
    ),
    async (t, seconds) => {
      const flaw = timestampOffBy(sign * seconds);
      await t.refuses(await t.caller(), echoCall('beyond the tolerance'), flaw.refusal, flaw.apply, tooFarHint);
    },
    { examples: [tolerance + marginSeconds, 599, 3600, 86_400] },
  );

  check(
    refused,
    `a timestamp exactly 301 seconds ${words} a standing clock gets 401 with 10009001`,
    async (t) => {
      const flaw = timestampOffBy(sign * (tolerance + 1));
      const caller = await t.target.clockedCaller();
      await t.refuses(caller, echoCall('past the edge'), flaw.refusal, flaw.apply, tooFarHint);
    },
    { needs: ['movable-clock'] },
  );
}

check(
  'timestamp.past-refused',
  'a timestamp that was accepted gets 401 with 10009001 once the clock has moved 301 seconds on',
  async (t) => {
    const caller = await t.target.clockedCaller();
    const flaw = timestampOffBy(-(tolerance + 1));
    await t.accepts(caller, echoCall('now'));
    await caller.advance(tolerance + 1);
    await t.refuses(caller, echoCall('now'), flaw.refusal, flaw.apply, tooFarHint);
  },
  { needs: ['movable-clock'] },
);

const texts: readonly Flaw[] = [
  timestampWritten('as a word', () => 'now'),
  timestampWritten('as letters and digits', (seconds) => `${seconds}s`),
  timestampWritten('as an ISO-8601 time', (seconds) => new Date(seconds * 1000).toISOString()),
  timestampWritten('as an HTTP date', (seconds) => new Date(seconds * 1000).toUTCString()),
  timestampWritten('as NaN', () => 'NaN'),
  timestampWritten('with a separator', (seconds) => `${String(seconds).slice(0, 4)}_${String(seconds).slice(4)}`),
];

property(
  'timestamp.text-refused',
  'a timestamp that is no number gets 401 with 10009001',
  fc.oneof(
    fc.constantFrom(...texts),
    fc.stringMatching(/^[A-Za-z]{1,20}$/).map((word) => timestampWritten(`as ${word}`, () => word)),
  ),
  async (t, flaw) => {
    await t.refuses(await t.caller(), echoCall('no number'), flaw.refusal, flaw.apply, 'text passes for a timestamp');
  },
  { examples: texts },
);

property(
  'timestamp.milliseconds-refused',
  'server time in milliseconds gets 401 with 10009001',
  fc.integer({ min: 0, max: 999 }),
  async (t, milliseconds) => {
    const flaw = timestampWritten('in milliseconds', (seconds) => String(seconds * 1000 + milliseconds));
    await t.refuses(
      await t.caller(),
      echoCall('milliseconds'),
      flaw.refusal,
      flaw.apply,
      'milliseconds are understood',
    );
  },
);

const writings: readonly Flaw[] = [
  timestampWritten('with a plus sign', (seconds) => `+${seconds}`),
  timestampWritten('with a minus sign', (seconds) => `-${seconds}`),
  timestampWritten('with a fraction of zero', (seconds) => `${seconds}.0`),
  timestampWritten('with a fraction', (seconds) => `${seconds}.5`),
  timestampWritten('with a dot at its end', (seconds) => `${seconds}.`),
  timestampWritten('with an exponent', (seconds) => `${seconds}e0`),
  timestampWritten('with a leading zero', (seconds) => `0${seconds}`),
  timestampWritten('in hex', (seconds) => `0x${seconds.toString(16)}`),
];

property(
  'timestamp.plain-decimal',
  'server time in any notation but plain decimal seconds gets 401 with 10009001',
  fc.constantFrom(...writings),
  async (t, flaw) => {
    const hint = 'other notations than plain decimal seconds are understood';
    await t.refuses(await t.caller(), echoCall('another notation'), flaw.refusal, flaw.apply, hint);
  },
  { examples: writings },
);
