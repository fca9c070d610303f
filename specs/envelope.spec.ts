import fc from 'fast-check';
import { endpoints } from '../contract/endpoints.ts';
import { languageHeaders } from '../contract/values.ts';
import type { Call } from '../contract/request.ts';
import type { Exchange } from '../trace/exchange.ts';
import { authenticationFlaw, type Flaw, flawedProbes } from '../generators/flaws.ts';
import { plainCall } from '../generators/calls.ts';
import { check, property } from './kit/check.ts';
import { refusalText, summary } from './kit/reply.ts';
import { differ, isPortuguese, provoke401s } from './kit/texts.ts';
import type { Trial } from './kit/trial.ts';
import { anyProbe } from '../generators/probes.ts';

/** The 401 that a flawed call gets, which a check builds on. */
async function flawed(t: Trial, call: Call, flaw: Flaw): Promise<Exchange> {
  const exchange = await t.send(await t.caller(), call, flaw.apply);
  const isRefused = exchange.response?.status === 401;
  t.presumes(isRefused, { expected: refusalText(flaw.refusal), actual: summary(exchange) });
  return exchange;
}

const pool = 'refusals';

property(
  'envelope.on-every-401',
  'the 401 of every endpoint carries a platform envelope',
  fc.record({ probe: anyProbe(), flaw: authenticationFlaw() }),
  async (t, { probe, flaw }) => {
    const call = probe.callAs(t.target.address.xmlContentType);
    const exchange = await t.send(await t.caller(), call, flaw.apply);
    const isRefused = exchange.response?.status === 401;
    t.holds(isRefused, { expected: refusalText(flaw.refusal), actual: summary(exchange) });
  },
  { examples: flawedProbes, mostPolitely: endpoints.length, pool },
);

const flawedEchoes = flawedProbes.filter(({ probe }) => probe.name === 'echo');

for (const [clause, title] of [
  ['envelope.success-false-on-errors', '`success` is false in a 401'],
  ['envelope.error-type', '`errorType` is the integer 1 in a 401'],
  ['envelope.code-integer', '`code` is an integer in a 401'],
  ['envelope.message-text', '`message` is a text that is not empty in a 401'],
] as const) {
  property(
    clause,
    title,
    fc.record({ probe: anyProbe(['echo']), flaw: authenticationFlaw() }),
    async (t, { probe, flaw }) => void (await flawed(t, probe.callAs(''), flaw)),
    { examples: flawedEchoes, mostPolitely: flawedEchoes.length, pool },
  );
}

for (const header of languageHeaders) {
  check(
    'envelope.message-language',
    `any two languages of ${header} differ in the text of a 401`,
    (t) => differ(t, header, ...provoke401s(t, header)),
    { pool },
  );
}

check(
  'envelope.message-language',
  'a 401 without a language header has the Portuguese text',
  (t) => isPortuguese(t, provoke401s(t, languageHeaders[0])[0]),
  { pool },
);

property(
  'envelope.data-on-success',
  '`data` is an object in the answer to a correct echo',
  plainCall(),
  async (t, call) => void (await t.accepts(await t.caller(), call)),
  { pool: 'echoes', mostPolitely: 3 },
);
