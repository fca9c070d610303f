import { expect, test } from 'vitest';
import type { ExchangeEvidence } from '../../schemas/results.ts';
import type { Signing } from '../../schemas/evidence.ts';
import { sampleExchange } from '../testing/sample-run.ts';
import { stringToSignBlock } from './string-to-sign.ts';

const sample = sampleExchange();
const all = (['token', 'path', 'body', 'timestamp'] as const).map((sent) => ({ sent }));
const withoutBody = all.filter(({ sent }) => sent !== 'body');
const asIs: Signing['sign'] = { between: ['', ''] };

function md5Of(of: NonNullable<Signing['digest']>['of']): NonNullable<Signing['digest']> {
  return { hash: 'md5', of };
}

function toldOf(change: Partial<Signing>, rest: Partial<ExchangeEvidence> = {}): string {
  const signing = { secret: '', token: asIs, timestamp: [], sign: asIs, ...change };
  const exchange: ExchangeEvidence = { ...sample, signing, ...rest };
  return exchange.stringToSign ? stringToSignBlock(exchange, exchange.stringToSign).html : '';
}

const nothingInBody = {
  text: '$X/p1',
  encoding: 'utf-8',
  bytes: 5,
  parts: [
    { name: 'token', length: 2 },
    { name: 'path', length: 2 },
    { name: 'body', length: 0 },
    { name: 'timestamp', length: 1 },
  ],
} as const satisfies ExchangeEvidence['stringToSign'];

test.each<[string, Partial<Signing>, Partial<ExchangeEvidence>]>([
  ['by the contract', { digest: md5Of(all) }, {}],
  [
    'by the contract, without a body',
    { digest: md5Of(withoutBody) },
    { stringToSign: { ...nothingInBody, parts: [...nothingInBody.parts] } },
  ],
  ['as a delivery', { digest: md5Of([]) }, { received: true }],
])('of what was signed %s nothing is said', (_, signing, exchange) => {
  expect(toldOf(signing, exchange)).not.toContain('on purpose');
});

test.each<[string, Partial<Signing>]>([
  ['without a body that is there', { digest: md5Of(withoutBody) }],
  ['in another order', { digest: md5Of(all.toReversed()) }],
  ['by another hash', { digest: { hash: 'sha256', of: all } }],
  ['and written in upper case', { digest: md5Of(all), sign: { as: 'upper-case' } }],
  ['and cut', { digest: md5Of(all), sign: { dropStart: 0, dropEnd: 16 } }],
  ['by no digest', { sign: { text: '0000' } }],
])('what was signed %s is said to be so on purpose, in both languages', (_, signing) => {
  const html = toldOf(signing);
  expect(html).toContain('Signed otherwise on purpose');
  expect(html).toContain('Assinada de outro modo, de propósito');
});

test('a request that was sent without a sign is said to be so on purpose', () => {
  const request = { ...sample.request, headers: [] };
  expect(toldOf({ sign: { text: '' } }, { request })).toContain('On purpose, the request was sent without a');
});
