import fc from 'fast-check';
import { endpoints, type EndpointName } from '../contract/endpoints.ts';
import { defaultLanguage, languageHeaders, languages, type Language } from '../contract/languages.ts';
import type { Exchange } from '../client/transport.ts';
import { authenticationFlaw, plainFlaws, type Flaw } from '../generators/flaws.ts';
import { echoCall, probeCall } from '../generators/calls.ts';
import { plainCall } from '../generators/telling-calls.ts';
import { errorEnvelope } from '../schemas/envelope.ts';
import { validator } from '../schemas/validate.ts';
import { check, property } from './kit/check.ts';
import { jsonBody, member } from './kit/reply.ts';
import { textsOf, type Texts } from './kit/texts.ts';
import type { Trial } from './kit/trial.ts';

const faultsOfError = validator(errorEnvelope);
const endpointNames: readonly EndpointName[] = endpoints.map(({ name }) => name);

/** The 401 that a flawed echo gets, which a check builds on. */
async function flawedEcho(t: Trial, flaw: Flaw, headers: [string, string][] = []): Promise<Exchange> {
  const exchange = await t.send(await t.caller(), { ...echoCall('flawed'), headers }, flaw.apply);
  const status = exchange.response?.status;
  t.presumes(status === 401, { expected: `401 for a request ${flaw.name}`, actual: String(status ?? exchange.error) });
  return exchange;
}

property(
  'envelope.on-every-401',
  'the 401 of every endpoint carries a platform envelope',
  fc.record({ name: fc.constantFrom(...endpointNames), flaw: authenticationFlaw() }),
  async (t, { name, flaw }) => {
    const call = probeCall(name, t.target.address.xmlContentType);
    const exchange = await t.send(await t.caller(), call, flaw.apply);
    const status = exchange.response?.status;
    t.holds(status === 401, { expected: `401 for a request ${flaw.name}`, actual: String(status ?? exchange.error) });
    const faults = faultsOfError(jsonBody(exchange));
    t.holds(faults.length === 0, { expected: 'a platform envelope', actual: faults.join('; ') });
  },
  { examples: endpointNames.flatMap((name) => plainFlaws.map((flaw) => ({ name, flaw }))) },
);

/** Declares a check of one field of the envelope of every 401. */
function fieldCheck(
  clause:
    | 'envelope.success-false-on-errors'
    | 'envelope.error-type'
    | 'envelope.code-integer'
    | 'envelope.message-text',
  title: string,
  field: string,
  expected: string,
  fits: (value: unknown) => boolean,
): void {
  property(
    clause,
    title,
    authenticationFlaw(),
    async (t, flaw) => {
      const value = member(jsonBody(await flawedEcho(t, flaw)), field);
      t.holds(fits(value), { expected, actual: `${field} is ${JSON.stringify(value) ?? 'missing'}` });
    },
    { examples: plainFlaws },
  );
}

fieldCheck(
  'envelope.success-false-on-errors',
  '`success` is false in a 401',
  'success',
  'success is false',
  (value) => value === false,
);
fieldCheck(
  'envelope.error-type',
  '`errorType` is the integer 1 in a 401',
  'errorType',
  'errorType is 1',
  (value) => value === 1,
);
fieldCheck('envelope.code-integer', '`code` is an integer in a 401', 'code', 'code is an integer', Number.isInteger);
fieldCheck(
  'envelope.message-text',
  '`message` is a text that is not empty in a 401',
  'message',
  'message is a text that is not empty',
  (value) => typeof value === 'string' && value.trim() !== '',
);

/** The four 401 texts in one language, or in none that was asked for. */
function messages(t: Trial, header: string, language: Language | undefined): Promise<Texts> {
  const headers: [string, string][] = language ? [[header, language]] : [];
  return textsOf(t, async () => {
    const answers: Exchange[] = [];
    for (const flaw of plainFlaws) answers.push(await flawedEcho(t, flaw, headers));
    return answers;
  });
}

for (const header of languageHeaders) {
  check('envelope.message-language', `any two languages of ${header} differ in the text of a 401`, async (t) => {
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
  });
}

check('envelope.message-language', 'a 401 without a language header has the Portuguese text', async (t) => {
  const [header] = languageHeaders;
  const portuguese = await messages(t, header, defaultLanguage);
  const plain = await messages(t, header, undefined);
  t.holds(plain.words === portuguese.words, { expected: `the texts of pt: ${portuguese.shown}`, actual: plain.shown });
});

property(
  'envelope.data-on-success',
  '`data` is an object in the answer to a correct echo',
  plainCall(),
  async (t, call) => {
    const exchange = await t.accepts(await t.caller(), call);
    const data = member(jsonBody(exchange), 'data');
    const isObject = typeof data === 'object' && data !== null && !Array.isArray(data);
    t.holds(isObject, { expected: 'data is an object', actual: `data is ${JSON.stringify(data) ?? 'missing'}` });
  },
);
