import fc from 'fast-check';
import { flawedProbes } from '../generators/flaws.ts';
import { jsonText } from '../generators/json.ts';
import { echoCall, jsonCall, plainCall } from '../generators/calls.ts';
import { echoMessage } from '../generators/text.ts';
import type { Call } from '../contract/request.ts';
import { member } from '../schemas/values.ts';
import { check, property } from './kit/check.ts';
import { gatheredOnce } from './kit/gathered-once.ts';
import { jsonBody } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import { clockStarts } from '../targets/applications.ts';

const pool = 'echoes';
const few = { pool, mostPolitely: 3 } as const;

/** Sends a correct echo, which has to pass. */
async function passes(t: Trial, call: Call): Promise<void> {
  await t.accepts(await t.caller(), call);
}

property('echo.status', 'a correct echo is answered with 200', plainCall(), passes, few);

property('echo.platform-envelope', 'the answer to a correct echo is a platform envelope', plainCall(), passes, few);

property(
  'echo.success-true',
  '`success` is true in the answer to a correct echo',
  plainCall(),
  async (t, call) => {
    await t.send(await t.caller(), call);
  },
  few,
);

property(
  'echo.message-returned',
  '`data.echo` is the message that was sent, however its JSON is written',
  echoMessage().chain((message) => jsonText({ message })),
  async (t, bodyText) => passes(t, jsonCall('echo', bodyText)),
  {
    examples: [
      '  <b>spaces</b>\u0000 around  %41 ',
      'line\r\nbreaks\n',
      'ação 😀 e\u0301 ı İ\t\'"\u0001\u0008\u007F\u0085\u00A0\u00AD\u200B\u200E\u2028\u2029\u2060\uE000\uFFFD\uFEFF “a” ‘b’ – — … € ½ №',
      // Longer than 64 K, and with signs that are counted where JSON is taken apart by hand.
      '[{"\\'.repeat(600) + 'x'.repeat(67_000),
      '0123',
      'null',
      'true',
      '\uFEFF1+1 %2B %20 &amp; &#39; 100%% %s $$ {{0}} ${x} $x $1 %{x} #{x} ... \\n \\u0041 // a',
      '0',
      `' OR '1'='1' -- <script>alert(1)</script> ../../etc/passwd`,
      '{"a":[1]}',
      'NaN',
      '2026-09-04T12:00:00-03:00',
      '1234.50',
      '6F1D2C3B-4A59-4E68-9F70-8A1B2C3D4E5F',
      '{0}',
    ].map((message) => JSON.stringify({ message })),
    mostPolitely: 8,
    pool,
  },
);

check('echo.message-returned', 'an empty message comes back as one, where it is taken', async (t) => {
  await t.send(await t.caller(), echoCall(''));
});

// Nobody signs a query: what stands there takes the place of nothing.
check('echo.message-returned', 'the message is that of the body, whatever the query says', (t) =>
  passes(t, { ...echoCall('of the body'), query: 'message=of-the-query' }),
);

check('echo.identity-fields', '`data.appKey` and `data.appName` are texts', (t) => passes(t, echoCall('who am I?')), {
  pool,
});

check('echo.app-key', '`data.appKey` is that of the caller', (t) => passes(t, echoCall('who am I?')), { pool });

const calledInTurn = gatheredOnce('callers in turn', async (t) => {
  for (let times = 0; times < 3; times++) await passes(t, echoCall('who am I?'));
  const [own, other] = [await t.caller(), await t.callerLike({ appName: 'Another application' })];
  await t.accepts(other, echoCall('who is that?'));
  await passes(t, echoCall('who am I now?'));
  const calls = [1, 2, 3, 4].map((nth) => echoCall(`who is number ${nth} of four at once?`));
  await t.sendAtOnce([own, other], calls);
});

for (const [clause, field] of [
  ['echo.app-key', 'appKey'],
  ['echo.app-name', 'appName'],
] as const) {
  check(clause, `\`data.${field}\` is that of the caller each time, whoever called before`, calledInTurn, {
    needs: ['chosen-application'],
  });
}

/** A name with signs that templates and pages read otherwise, and longer than a table expects. */
const tellingName = 'Irmãos & <Sócios> "S/A" \\ Comércio, Importação e Exportação de Máquinas 🧾 Ltda.';

check('echo.app-name', '`data.appName` is that of the caller', async (t) => {
  const own = await t.caller();
  const callers = t.target.address.control ? [own, await t.callerLike({ appName: tellingName })] : [own];
  await t.each(callers, async (caller) => {
    const exchange = await t.accepts(caller, echoCall('who am I?'));
    const value = member(jsonBody(exchange), 'data', 'appName');
    const { appName } = caller;
    t.holds(value === appName, { expected: `data.appName is ${appName}`, actual: JSON.stringify(value) ?? 'missing' });
  });
});

property(
  'echo.server-time-format',
  '`data.serverTime` is an ISO-8601 time in UTC with milliseconds',
  plainCall(),
  passes,
  few,
);

check('echo.server-time-now', '`data.serverTime` shows a standing clock and follows it', async (t) => {
  await t.each(clockStarts, async (clock) => {
    const caller = await t.target.clockedCaller({ clock });
    for (const step of clock === clockStarts[0] ? [0, 1, 3600] : [0]) {
      await caller.advance(step);
      await t.accepts(caller, echoCall('what time is it?'));
    }
  });
});

const flawedEchoes = flawedProbes.filter(({ probe }) => probe.name === 'echo');

property(
  'echo.whole-pipeline',
  'the echo endpoint refuses each of the four authentication faults with its code',
  fc.constantFrom(...flawedEchoes),
  async (t, { probe, flaw }) => {
    const hint = 'the echo endpoint answers before the gateway has checked everything';
    await t.refuses(await t.caller(), probe.callAs(''), flaw.refusal, flaw.apply, hint);
  },
  { examples: flawedEchoes, mostPolitely: flawedEchoes.length, pool: 'refusals' },
);
