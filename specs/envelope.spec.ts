import fc from 'fast-check';
import { endpoints } from '../contract/endpoints.ts';
import { defaultLanguage, languageHeaders, languages, type Language } from '../contract/values.ts';
import type { Call } from '../contract/request.ts';
import type { Exchange } from '../trace/exchange.ts';
import { authenticationFlaw, plainFlaws, type Flaw, flawedProbes } from '../generators/flaws.ts';
import { echoCall, plainCall } from '../generators/calls.ts';
import { check, property } from './kit/check.ts';
import { compared, textsOf, type Texts } from './kit/texts.ts';
import type { Trial } from './kit/trial.ts';
import { anyProbe } from '../generators/probes.ts';

/** The 401 that a flawed call gets, which a check builds on. */
async function flawed(t: Trial, call: Call, flaw: Flaw): Promise<Exchange> {
  const exchange = await t.send(await t.caller(), call, flaw.apply);
  const status = exchange.response?.status;
  t.presumes(status === 401, { expected: `401 for a request ${flaw.name}`, actual: String(status ?? exchange.error) });
  return exchange;
}

const pool = 'refusals';

property(
  'envelope.on-every-401',
  'the 401 of every endpoint carries a platform envelope',
  fc.record({ probe: anyProbe(), flaw: authenticationFlaw() }),
  async (t, { probe, flaw }) => {
    const call = probe.callAs(t.target.address.xmlContentType);
    const { response, error } = await t.send(await t.caller(), call, flaw.apply);
    const actual = String(response?.status ?? error);
    t.holds(response?.status === 401, { expected: `401 for a request ${flaw.name}`, actual });
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

/** The four 401 texts in one language, or in none that was asked for. */
function messages(t: Trial, header: string, language: Language | undefined): Promise<Texts> {
  const headers: [string, string][] = language ? [[header, language]] : [];
  return textsOf(t, async () => {
    const answers: Exchange[] = [];
    for (const flaw of plainFlaws) answers.push(await flawed(t, { ...echoCall('language'), headers }, flaw));
    return answers;
  });
}

for (const header of languageHeaders) {
  check(
    'envelope.message-language',
    `any two languages of ${header} differ in the text of a 401`,
    async (t) => {
      const texts = new Map<string, Language>();
      await t.each(languages, async (language) => {
        const { words, shown } = await messages(t, header, language);
        t.holds(!texts.has(words), {
          expected: `texts in ${language} that differ from those in ${texts.get(words)}`,
          actual: `the same four texts: ${shown}`,
          hint: `the ${header} header is not followed`,
        });
        texts.set(words, language);
      });
    },
    { pool },
  );
}

check(
  'envelope.message-language',
  'a 401 without a language header has the Portuguese text',
  async (t) => {
    const [header] = languageHeaders;
    const { isSame, one, other } = await compared(
      t,
      () => messages(t, header, defaultLanguage),
      () => messages(t, header, undefined),
    );
    t.holds(isSame, { expected: `the texts of pt: ${one.shown}`, actual: other.shown });
  },
  { pool },
);

property(
  'envelope.data-on-success',
  '`data` is an object in the answer to a correct echo',
  plainCall(),
  async (t, call) => void (await t.accepts(await t.caller(), call)),
  { pool: 'echoes', mostPolitely: 5 },
);
