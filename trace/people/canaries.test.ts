import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Arrival, Exchange } from '../exchange.ts';
import { signedRequest } from '../../client/sign.ts';
import { evidenceOf, evidenceOfDelivery } from '../evidence.ts';
import { allowanceOf, maskOfPeople, rememberReceived } from './memory.ts';
import { strangers } from './testing/allowances.ts';
import { canaries, keys, type Canary } from './testing/canaries.ts';

/** A body that holds a canary, as a target may send it. */
interface Planted {
  readonly canary: Canary;
  readonly body: string;
}

const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const escapedWholly = (text: string): string =>
  text.replaceAll(/./gs, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The JSON values that hold a canary somewhere. */
const values = (canary: string): fc.Arbitrary<unknown> =>
  fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constant(canary),
      fc
        .constantFrom(`"${canary}"`, `não existe “${canary}” aqui`, `'${canary}'`, `«${canary}»`)
        .map((text) => ({ message: text })),
      fc.tuple(keys, tie('value')).map(([key, value]) => ({ code: 10009003, [key]: value, n: null })),
      tie('value').map((value) => [1, value, true]),
      tie('value').map((value) => ({ data: JSON.stringify(value) })),
      fc.constant({ [canary.includes(' ') || /\d{4}|@/.test(canary) ? canary : `${canary} x`]: 1 }),
    ),
  })).value;

const inJson = (canary: Canary): fc.Arbitrary<string> =>
  fc
    .tuple(values(canary.text), fc.constantFrom(undefined, 1, '\t'))
    .map(([value, space]) => JSON.stringify(value, undefined, space));

const inMarkup = ({ text }: Canary): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom('xNome', 'xMotivo', 'cStat', 'nProt', 'chNFe', 'nome', 'CNPJ', 'status'),
      fc.integer({ min: 0, max: 8 }),
    )
    .map(([element, form]) => {
      const inside = [
        `<${element}>${xml(text)}</${element}>`,
        `<${element} nome="${xml(text)}"/>`,
        `<${element} status='${xml(text)}'>1</${element}>`,
        `<${element}><![CDATA[${text}]]></${element}>`,
        `<!-- ${text} --><${element}/>`,
        `<?x ${text}?><${element}/>`,
        `<x:${element}>\n  ${xml(text)}\n</x:${element}>`,
        `<!DOCTYPE a [<!ENTITY b "${xml(text)}">]><${element}/>`,
        `<${element} x=${xml(text).replaceAll(/[\s>]/g, '_')}>`,
      ];
      return `<retorno versao="4.00">${inside[form]}</retorno>`;
    });

const inPages = ({ text }: Canary): fc.Arbitrary<string> =>
  fc.constantFrom(
    `<html><body><h1>502 Bad Gateway</h1><p>${xml(text)}</p></body></html>`,
    `<html><title>${xml(text)}</title><script>var a = "${text}";</script>`,
    `<!DOCTYPE html><p title="${xml(text)}">nginx <b>${xml(text)}</b>`,
    `error for ${text}: not found`,
    `nome=${encodeURIComponent(text)}&x=1`,
    text,
    `callback({"nome":"${text}"})`,
    `)]}',\n{"code":"${text}"}`,
    `{nome: '${text}', "code": ${text}}`,
    `{"nome":"${escapedWholly(text)}"}`,
    `{"nome":"a","nome":"${text.replaceAll('"', '')}"`,
    `{"nome":"${text}`,
  );

const planted: fc.Arbitrary<Planted> = canaries.chain((canary) =>
  fc.oneof(inJson(canary), inMarkup(canary), inPages(canary)).map((body) => ({ canary, body })),
);

const request = signedRequest({
  call: { method: 'POST', path: '/openapi/demo/echo', rawBody: Buffer.from('{"message":"olá"}') },
  token: 'the-app-secret-of-the-run',
  timestamp: '1700000000',
});

/** All that a report would show of an answer: its evidence, and a finding that quotes all of it. */
function shownOf(body: string, headers: readonly [string, string][]): string {
  const people = strangers();
  const allowance = allowanceOf(people, []);
  const mask = (text: string): string => text;
  const response = { status: 200, headers, rawBody: Buffer.from(body) };
  const exchange: Exchange = { request, response, durationMs: 1 };
  const arrival: Arrival = {
    method: 'POST',
    target: '/hook',
    headers,
    rawBody: response.rawBody,
    isTooLarge: false,
    arrivedAtMs: 0,
  };
  rememberReceived(people, response, mask, allowance);
  const finding = maskOfPeople(people)(`expected another, actual ${body}`);
  const veil = { mask, allowance };
  return JSON.stringify([evidenceOf(exchange, veil), evidenceOfDelivery(arrival, veil), finding]);
}

function expectHidden({ telling }: Canary, shown: string): void {
  for (const piece of telling) expect(shown).not.toContain(JSON.stringify(piece).slice(1, -1));
}

test('nothing of somebody shows, wherever in a body it stands, neither in evidence nor in a finding that quotes it', () => {
  fc.assert(
    fc.property(planted, ({ canary, body }) => expectHidden(canary, shownOf(body, []))),
    { numRuns: 3_000 },
  );
});

test('nothing of somebody shows in evidence where a body is cut off after it', () => {
  fc.assert(
    fc.property(planted, fc.nat(40), ({ canary, body }, more) => {
      const end = body.lastIndexOf(canary.text) + canary.text.length + more;
      const rawBody = Buffer.from(body.slice(0, end));
      const veil = { mask: (text: string): string => text, allowance: allowanceOf(strangers(), []) };
      const evidence = evidenceOf({ request, response: { status: 200, headers: [], rawBody }, durationMs: 1 }, veil);
      expectHidden(canary, JSON.stringify(evidence));
    }),
    { numRuns: 2_000 },
  );
});

test('nothing of somebody shows in a header', () => {
  const names = [
    'Content-Type',
    'Server',
    'Set-Cookie',
    'Location',
    'X-Service-Event',
    'X-Service-Event-Id',
    'X-Request',
    'Date',
  ];
  const further = [
    'Retry-After',
    'X-RateLimit-Limit',
    'Link',
    'Via',
    'X-Service-Timestamp',
    'token',
    'Content-Length',
    'Host',
  ];
  fc.assert(
    fc.property(canaries, fc.constantFrom(...names, ...further), (canary, name) => {
      const value = Buffer.from(canary.text).toString('latin1');
      const telling = canary.telling.map((piece) => Buffer.from(piece).toString('latin1'));
      expectHidden({ ...canary, telling }, shownOf('{}', [[name, value]]));
    }),
    { numRuns: 2_000 },
  );
});
