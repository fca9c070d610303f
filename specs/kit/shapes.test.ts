import { describe, expect, test } from 'vitest';
import { endpoints, fillPath, retiredEndpoints } from '../../contract/endpoints.ts';
import type { ObservedShape } from '../../schemas/observed.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { withShape } from './exchanges.ts';

interface Answer {
  readonly method?: string;
  readonly target?: string;
  readonly status?: number;
  readonly headers?: [string, string][];
  readonly body?: string | Buffer;
}

function exchange(answer: Answer = {}): Exchange {
  const { method = 'POST', target = '/openapi/demo/echo', status = 200, headers = [], body = '' } = answer;
  return {
    request: { method, target, headers: [], parts: { token: '', path: target, body: Buffer.alloc(0), timestamp: '0' } },
    response: { status, headers, rawBody: Buffer.from(body) },
    durationMs: 1,
  };
}

function seenOf(...answers: Answer[]): readonly ObservedShape[] {
  return answers.map(exchange).reduce<readonly ObservedShape[]>(withShape, []);
}

function endpointOf(answer: Answer): string | undefined {
  return seenOf(answer)[0]?.endpoint;
}

describe('the endpoint of a response', () => {
  test.each(endpoints)('$name is found by its method and path', ({ name, method, path }) => {
    const values = { empresaId: 'a', nfeId: '%20', chave: '1', cnpj: '2', cpf: '3', nascimento: '4' };
    expect(endpointOf({ method, target: `${fillPath(path, values)}?a=/b` })).toBe(name);
  });

  test.each(retiredEndpoints)('$method $path, a retired one, has these as its name', ({ method, path }) => {
    const values = { cnpj: '1', cpf: '2', nascimento: '3' };
    expect(endpointOf({ method, target: `${fillPath(path, values)}?a` })).toBe(`${method} ${path}`);
  });

  test.each([
    ['GET', '/openapi/nfe/verify/xml'],
    ['GET', '/openapi/demo/echo'],
    ['GET', '/openapi/v3/consultas/nf-e/'],
    ['GET', '/openapi/v3/consultas/nf-e/1/2'],
    ['POST', '/openapi/demo/Echo'],
    ['GET', ''],
  ])('%s %s is of another', (method, target) => {
    expect(endpointOf({ method, target })).toBe('other');
  });
});

test('responses are kept apart by endpoint and status', () => {
  const other = { target: '/x', status: 404, body: '{"code": 1}' };
  expect(seenOf(other, { status: 401 }, { body: '{"a": 1}' }, { body: '{"a": null}' })).toEqual([
    {
      endpoint: 'echo',
      status: 200,
      responses: 2,
      contentTypes: ['(none)'],
      fields: [
        { pointer: '', types: ['object'], always: true },
        { pointer: '/a', types: ['integer', 'null'], always: true },
      ],
    },
    {
      endpoint: 'echo',
      status: 401,
      responses: 1,
      contentTypes: ['(none)'],
      fields: [{ pointer: '', types: ['empty'], always: true }],
    },
    {
      endpoint: 'other',
      status: 404,
      responses: 1,
      contentTypes: ['(none)'],
      fields: [
        { pointer: '', types: ['object'], always: true },
        { pointer: '/code', types: ['integer'], always: true },
      ],
    },
  ]);
});

test('an exchange without response adds nothing', () => {
  const { request } = exchange();
  expect(withShape([], { request, error: 'ECONNRESET', durationMs: 1 })).toEqual([]);
});

test('content types are media types without parameters', () => {
  const types = [['Content-Type', 'Application/JSON; charset=utf-8'], ['content-type', 'x'], undefined] as const;
  const seen = seenOf(...types.map((type) => (type ? { headers: [[type[0], type[1]] as [string, string]] } : {})));
  expect(seen[0]?.contentTypes).toEqual(['(malformed)', '(none)', 'application/json']);
});

test('a bare number is text unless the content type says JSON', () => {
  expect(seenOf({ body: '1', headers: [['content-type', 'text/plain']] })[0]?.fields[0]?.types).toEqual(['text']);
  expect(seenOf({ body: '1', headers: [['content-type', 'text/json']] })[0]?.fields[0]?.types).toEqual(['integer']);
});

test('of a body above 256 kB only that it came is noted', () => {
  const body = Buffer.alloc(256 * 1024, ' ');
  body.write('[]');
  expect(seenOf({ body })[0]?.fields).toEqual([{ pointer: '', types: ['array'], always: true }]);
  const large = Buffer.concat([body, Buffer.from(' ')]);
  expect(seenOf({ body: large })[0]).toMatchObject({ status: 200, responses: 1, fields: [] });
});

test('after twenty responses the others are only counted', () => {
  const twenty = Array.from({ length: 20 }, () => ({ body: '[]' }));
  expect(seenOf(...twenty.slice(1), { body: '{}' }, { body: '1' })[0]).toMatchObject({
    responses: 21,
    fields: [{ types: ['array', 'object'] }],
  });
  expect(seenOf(...twenty, { status: 201, body: '{}' })[1]).toMatchObject({
    status: 201,
    responses: 1,
    fields: [{ types: ['object'] }],
  });
});
