import fc from 'fast-check';
import { endpoints, type EndpointName } from '../contract/endpoints.ts';
import { defaultLanguage, languageHeaders, languages, type Language } from '../contract/languages.ts';
import { authenticationFlaw, plainFlaws, type Flaw } from '../generators/flaws.ts';
import { echoCall, probeCall } from '../generators/calls.ts';
import { plainCall } from '../generators/telling-calls.ts';
import { errorEnvelope } from '../schemas/envelope.ts';
import { validator } from '../schemas/validate.ts';
import { check, property } from './kit/check.ts';
import { jsonBody, member } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';

const faultsOfError = validator(errorEnvelope);
const endpointNames: readonly EndpointName[] = endpoints.map(({ name }) => name);

/** The body of the 401 that a flawed echo gets; fails where there is no 401. */
async function refusedEcho(t: Trial, flaw: Flaw, headers: [string, string][] = []): Promise<unknown> {
  const exchange = await t.send(await t.caller(), { ...echoCall('flawed'), headers }, flaw.apply);
  const status = exchange.response?.status;
  t.holds(status === 401, { expected: `401 for a request ${flaw.name}`, actual: String(status ?? exchange.error) });
  return jsonBody(exchange);
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
      const value = member(await refusedEcho(t, flaw), field);
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

/** The four 401 texts in one language; digits are taken out, since ids and times may differ. */
async function messages(t: Trial, header: string, language: Language | undefined): Promise<string[]> {
  const headers: [string, string][] = language ? [[header, language]] : [];
  const texts: string[] = [];
  for (const flaw of plainFlaws) {
    texts.push(String(member(await refusedEcho(t, flaw, headers), 'message')).replaceAll(/\d/g, ''));
  }
  return texts;
}

for (const header of languageHeaders) {
  check('envelope.message-language', `any two languages of ${header} differ in the text of a 401`, async (t) => {
    const texts = new Map<Language, string[]>();
    for (const language of languages) texts.set(language, await messages(t, header, language));
    const pairs = [...texts].flatMap((one) => [...texts].map((other) => [one, other] as const));
    const once = pairs.filter(([[one], [other]]) => one < other);
    await t.each(once, ([[one, ofOne], [other, ofOther]]) => {
      t.holds(ofOne.join('\n') !== ofOther.join('\n'), {
        expected: `texts in ${one} that differ from those in ${other}`,
        actual: `the same four texts: ${ofOne.join(' | ')}`,
        hint: `the ${header} header is not followed`,
      });
    });
  });
}

check('envelope.message-language', 'a 401 without a language header has the Portuguese text', async (t) => {
  const [header] = languageHeaders;
  const portuguese = (await messages(t, header, defaultLanguage)).join(' | ');
  const plain = (await messages(t, header, undefined)).join(' | ');
  t.holds(plain === portuguese, { expected: `the texts of pt: ${portuguese}`, actual: plain });
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
