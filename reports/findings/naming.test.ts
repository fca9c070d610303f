import { describe, expect, test } from 'vitest';
import type { ClauseResult } from '../../schemas/results.ts';
import type { Fact, Node } from '../../schemas/finding.ts';
import { at, broken, passed } from '../testing/sample-run.ts';
import { findingsOf } from './findings.ts';

/** The clauses of the first finding: the one that names it in front. */
const named = (...clauses: ClauseResult[]): readonly string[] => findingsOf(clauses)[0]?.clauses ?? [];

const ownCheck = {
  name: 'its own',
  file: 'specs/x.spec.ts',
  state: 'failed',
  durationMs: 0,
  cases: 1,
  assertions: 1,
} as const;

interface Way {
  readonly expected: string;
  readonly actual: string;
}

/** The clause, as one of its own checks found it broken, besides whatever else did. */
function tried(clause: ClauseResult, way: Way): ClauseResult {
  return {
    ...clause,
    alsoHeld: true,
    checks: [...clause.checks, { ...ownCheck, error: { title: 'its own', ...way } }],
  };
}

describe('a finding is named', () => {
  test('by what is said of all answers, where a firewall stops odd requests of many topics with pages', () => {
    const all = [
      broken('signature.mismatch-refused', { expected: '401, code 10009003', actual: '500, an HTML page' }),
      broken('echo.message-returned', { expected: 'accepted by the gateway', actual: '403, an HTML page' }),
      broken('errors.envelope-of-403', { expected: 'a platform envelope', actual: 'an HTML page' }),
    ];
    expect(named(...all)[0]).not.toBe('errors.envelope-of-403');
    const gone = broken('retirement.gone', { expected: '410, code 10009034', actual: '403, an HTML page' });
    expect(named(...all, gone)[0]).toBe('errors.envelope-of-403');
  });

  test('by the rule that standard endpoints are live, where one is answered as if it were retired', () => {
    const gone = broken('retirement.standard-endpoints-live', {
      expected: 'any status but 410',
      actual: '410, no code',
    });
    const granted = broken('subscription.own-scope-grants', { expected: 'accepted', actual: '410, no code' });
    expect(named(granted, gone)).toEqual([gone.id, granted.id]);
  });

  test('by the field that events lack, where one is not known again without it', () => {
    const lost = broken('verdict-event.sent-when-settled', { expected: 'a delivery', actual: 'none came' });
    const fields = broken('verdict-event.fields', {
      expected: 'chaveAcesso, validationStatus, status, eventos, verifiedAt',
      actual: '/chaveAcesso is missing',
    });
    expect(named(lost, fields)).toEqual([fields.id, lost.id]);
  });

  test('by the envelope that refusals lack, where codes are not found in them', () => {
    const envelope = broken('envelope.on-every-401', { expected: 'a platform envelope', actual: '{"error":{}}' });
    const mismatch = broken('signature.mismatch-refused', { expected: '401, code 10009003', actual: '401, no code' });
    expect(named(mismatch, envelope)).toEqual([envelope.id, mismatch.id]);
  });

  test('by the envelope that refusals of one endpoint lack, where others have it', () => {
    const facts = [at('POST /openapi/v1/empresas/{empresaId}/certificadoDigital')];
    const shared = { beside: ['errors.envelope-of-403'] };
    const way = { expected: '403, code 10009004', actual: '403, an empty body', facts, shared };
    const none = { expected: 'a platform envelope', actual: 'an empty body', facts };
    const envelope = { ...broken('errors.envelope-of-403', none), alsoHeld: true as const };
    expect(named(broken('application.disabled-refused', way), envelope)[0]).toBe(envelope.id);
  });

  test('by the rule of signing that is broken by most of what it is about, where few right requests are refused', () => {
    const way = { expected: 'accepted by the gateway', actual: '401, code 10009003' };
    const all = [
      broken('echo.message-returned', { ...way, facts: [at('POST /openapi/demo/echo')] }),
      broken('signature.accepted', { ...way, shared: { wrong: 80, of: 1000 } }),
      broken('signature.line-breaks-removed', { ...way, shared: { wrong: 13, of: 23 } }),
      broken('signature.json-as-sent', { ...way, shared: { wrong: 20, of: 22 } }),
    ];
    expect(named(...all).slice(0, 3)).toEqual([
      'signature.json-as-sent',
      'signature.line-breaks-removed',
      'signature.accepted',
    ]);
  });

  test('by the rule of signing whose own check failed, where few of the wrong signs pass and nothing else is about it', () => {
    const way = { expected: '401, code 10009003', actual: '200, no code' };
    const all = (wrong: number): string | undefined =>
      named(
        broken('signature.mismatch-refused', { ...way, shared: { wrong, of: 119 } }),
        tried({ ...passed('signature.body-bound'), verdict: 'failed' }, way),
      )[0];
    expect(all(3)).toBe('signature.body-bound');
    expect(all(119)).toBe('signature.mismatch-refused');
  });

  test('by what right requests are refused for at one node of several, whichever way to sign was tried there', () => {
    const actual = '401, code 10009002';
    const node: Node = { by: 'turn', wrong: 1, of: 2 };
    const wrongSign = { expected: '401, code 10009003 (signature mismatch)', actual };
    const all = [
      broken('signature.mismatch-refused', { ...wrongSign, shared: { wrong: 40, of: 96 } }),
      tried(broken('signature.cpf-and-birth-date-signed', { ...wrongSign, shared: { wrong: 2, of: 2 } }), wrongSign),
      broken('signature.accepted', { expected: 'accepted by the gateway', actual, shared: { wrong: 3, of: 556 } }),
      broken('token.app-secret-accepted', {
        expected: 'accepted: all three headers are right',
        actual,
        shared: { wrong: 442, of: 992, node },
      }),
    ];
    expect(named(...all)[0]).toBe('token.app-secret-accepted');
    expect(named(...all.slice(0, 3))[0]).not.toBe('token.app-secret-accepted');
  });

  test('by a rule of signing where one node of several takes a wrong sign, and refuses nothing that is right', () => {
    const passes = { expected: '401, code 10009003', actual: '200, no code' };
    const node: Node = { by: 'turn', wrong: 1, of: 2 };
    const all = [
      broken('signature.mismatch-refused', { ...passes, shared: { wrong: 20, of: 400, node } }),
      tried(broken('signature.md5', { ...passes, shared: { wrong: 20, of: 40 } }), passes),
    ];
    expect(named(...all)[0]).toBe('signature.md5');
  });

  test('by what came and is wrong, before what did not come', () => {
    const facts = [{ ...at('x'), telling: true }] as const;
    const [first] = named(
      broken('webhook-delivery.other-status-retried', { facts, actual: 'none after 304' }),
      broken('webhook-delivery.redirect-not-followed', { facts, actual: 'none after 302' }),
      broken('issuance-callback.all-fields', { facts, actual: 'nfeId is missing' }),
    );
    expect(first).toBe('issuance-callback.all-fields');
  });

  test('by what did not come where what came stands on that', () => {
    const lost = { expected: 'a retry within 66 s after the answer 503', actual: 'none' };
    const all = [
      broken('webhook-delivery.dead-letter', { expected: 'the state dead', actual: 'delivered' }),
      broken('webhook-delivery.other-status-retried', lost),
    ];
    expect(named(...all)[0]).toBe('webhook-delivery.other-status-retried');
  });

  test('by the foundation where its rules of signing are broken no more often than it', () => {
    const way = { expected: 'accepted by the gateway', actual: '401, code 10009003' };
    const all = [
      broken('signature.accepted', { ...way, shared: { wrong: 100, of: 1000 } }),
      broken('signature.json-as-sent', { ...way, shared: { wrong: 5, of: 40 } }),
    ];
    expect(named(...all)[0]).toBe('signature.accepted');
  });

  test('by a rule of the gateway rather than by that of an endpoint which the gateway let nothing through to', () => {
    const way = { facts: [at('POST /openapi/demo/echo')], actual: '401, code 10009003' };
    const all = [
      broken('echo.message-returned', { ...way, expected: 'accepted by the gateway' }),
      broken('signature.accepted', { ...way, expected: 'accepted: all three headers are right' }),
    ];
    expect(named(...all)[0]).toBe('signature.accepted');
  });

  test('by what several others of it stand on', () => {
    const way = { expected: 'accepted by the gateway', actual: '401, code 10009003' };
    const ids = ['echo.status', 'token.app-secret-accepted', 'signature.accepted', 'retirement.gone'];
    expect(named(...ids.map((id) => broken(id, way)))[0]).toBe('signature.accepted');
  });

  test('by a clause on the endpoint that all of it was seen at', () => {
    const way = { facts: [at('POST /openapi/demo/echo')], expected: 'x', actual: 'y' };
    expect(named(broken('token.unknown-refused', way), broken('echo.whole-pipeline', way))[0]).toBe(
      'echo.whole-pipeline',
    );
  });

  test('by what fails the run rather than by what only warns or is accepted', () => {
    const way = { expected: 'x', actual: 'y' };
    expect(named(broken('echo.bare', { ...way, verdict: 'known' }), broken('verdict-event.version', way))[0]).toBe(
      'verdict-event.version',
    );
  });

  const refused = { expected: 'accepted by the gateway', actual: '401, code 10009003' };
  const json: readonly Fact[] = [at('POST /a'), { name: 'size', value: 'above 8 KiB' }];
  const large: readonly Fact[] = [{ name: 'size', value: 'above 8 KiB', telling: true }];

  test('by a rule of signing that its own check found broken far more often than the rest, though not mostly', () => {
    const accepted = broken('signature.accepted', { ...refused, facts: json, shared: { wrong: 4, of: 1935 } });
    const seldom = { ...refused, facts: large, shared: { wrong: 3, of: 19 } };
    const breaks = broken('signature.line-breaks-removed', seldom);
    expect(named(accepted, breaks)[0]).toBe('signature.accepted');
    expect(named(accepted, tried(breaks, refused))[0]).toBe('signature.line-breaks-removed');
  });

  test('by no rule of signing that hangs on what is otherwise in what breaks the foundation', () => {
    const accepted = broken('signature.accepted', { ...refused, facts: json, shared: { wrong: 4, of: 1935 } });
    const facts = [{ ...at('POST /b'), telling: true }] as const;
    const elsewhere = broken('signature.line-breaks-removed', { ...refused, facts, shared: { wrong: 5, of: 6 } });
    expect(named(accepted, elsewhere)[0]).toBe('signature.accepted');
  });

  test.each([
    [
      'by the rule that each endpoint keeps to it where it hangs on one',
      [{ ...at('POST /a'), telling: true }],
      'signature.every-endpoint',
    ],
    ['by the foundation where it hangs on none', [], 'signature.accepted'],
  ] as const)('%s', (_, facts, name) => {
    const accepted = broken('signature.accepted', { ...refused, facts: json, shared: { wrong: 30, of: 1000 } });
    const each = broken('signature.every-endpoint', { ...refused, facts, shared: { wrong: 4, of: 4 } });
    expect(named(accepted, each, broken('nfe-issuance.status-200', refused))[0]).toBe(name);
  });

  test('by what the code is about that right requests are refused with, before what others stand on', () => {
    const way = { expected: 'accepted by the gateway', actual: '401, code 10009001' };
    const facts = [
      { name: 'fault', value: 'none' },
      { name: 'code', value: '10009001' },
    ] as const;
    const ids = ['signature.accepted', 'token.app-secret-accepted', 'timestamp.server-time-accepted'];
    expect(named(...ids.map((id) => broken(id, { ...way, facts })))[0]).toBe('timestamp.server-time-accepted');
  });

  test('by nothing that the code is about, where that was only seen now and then', () => {
    const facts = [
      { name: 'fault', value: 'none' },
      { name: 'connection', value: '7' },
    ] as const;
    const way = { expected: 'accepted', actual: '403, code 10009005' };
    const granted = broken('subscription.own-scope-grants', { ...way, facts, shared: { wrong: 2, of: 15 } });
    const changed = broken('application.change-in-force', { ...way, facts, shared: { wrong: 5, of: 32 } });
    expect(named(granted, tried(changed, way))[0]).toBe(changed.id);
  });

  test('by what the code is about, though only seen now and then, where it was seen far more often than all else', () => {
    const code = { name: 'code', value: '10009001' } as const;
    const facts = [{ name: 'fault', value: 'none' }, code] as const;
    const way = { expected: 'request 4 of one in a window served', actual: '401, code 10009001' };
    const served = { ...broken('rate-limit.within-limit-served', { ...way, facts, isExample: true }) };
    const inTime = broken('timestamp.server-time-accepted', { ...way, facts, shared: { wrong: 231, of: 1345 } });
    expect(named(served, { ...inTime, alsoHeld: true })[0]).toBe(inTime.id);
  });

  test('by what the code is about that was due for all, before what others stand on', () => {
    const way = { expected: '401, code 10009000', actual: '401, code 10009001' };
    const ids = ['echo.whole-pipeline', 'precedence.401-before-410', 'precedence.401-before-403'];
    const all = [...ids, 'required-headers.several-missing'].map((id) => broken(id, way));
    expect(named(...all)[0]).toBe('required-headers.several-missing');
  });

  test('by what its own check found, before what was only seen elsewhere', () => {
    const way = { expected: 'Cancelada', actual: 'Autorizada' };
    const link = broken('nfe-query.danfe-link-when-authorised', { shared: { wrong: 23, of: 162 } });
    const beside = [link.id];
    const state = broken('nfe-query.follows-the-life-cycle', { ...way, shared: { wrong: 19, of: 623, beside } });
    expect(named(link, tried(state, way))[0]).toBe(state.id);
  });

  test('by what an endpoint fails with, before what is of another one, and was not reached for that', () => {
    const way = { expected: '200, 400 or 404', actual: '500, codigo "V"' };
    const facts = [at('POST /openapi/v2/empresas/{empresaId}/nf-e')];
    const own = broken('errors.own-statuses', { ...way, facts, shared: { wrong: 3, of: 469 } });
    const found = broken('nfe-query.found-by-id', { ...way, facts });
    expect(named(own, tried(found, way))[0]).toBe(own.id);
  });

  test('by what shows the same as most others, before what shows it elsewhere', () => {
    const way = { expected: 'a message in zh', actual: 'one in another language: "x"' };
    const on = (value: string): readonly Fact[] => [{ name: 'status', value }];
    const shared = { wrong: 3, of: 90 };
    const all = [
      broken('language.on-403', { ...way, facts: on('403'), shared: { wrong: 9, of: 98 } }),
      broken('language.language-header', { ...way, facts: on('401'), shared }),
      broken('language.accept-language-header', { ...way, facts: on('401'), shared }),
    ];
    expect(named(...all)[0]).toBe('language.language-header');
  });

  test('by the clause of the field that is wrong, before what is about the times of all deliveries', () => {
    const all = [
      broken('webhook-delivery.true-times', { actual: 'nfeDataEmissao is 2026-11-27T07:48:55Z' }),
      broken('issuance-callback.data-emissao', { actual: '"2031-05-17T06:34:47Z"', shared: { wrong: 2, of: 9 } }),
    ];
    expect(named(...all)[0]).toBe('issuance-callback.data-emissao');
  });

  test('by the events that are lost, before the one that is not restored', () => {
    const facts: readonly Fact[] = [{ name: 'channel', value: 'issuance' }];
    const closes = { expected: 'the callback of the next invoice', actual: 'none', isExample: true, facts };
    const lost = { expected: 'every event, again', actual: '10 lost', isExample: true, facts };
    const all = [broken('webhook-delivery.breaker-closes', closes), broken('webhook-delivery.at-least-once', lost)];
    expect(named(...all)[0]).toBe('webhook-delivery.at-least-once');
  });

  test('by what does not come after answers of one class, before what comes after those', () => {
    const retried = { expected: 'a retry within 66 s after the answer 302', actual: 'none' };
    const all = [
      broken('webhook-url.not-saved-otherwise', { expected: 'refused with 422', actual: 'saved after the answer 302' }),
      broken('webhook-delivery.redirect-not-followed', retried),
      broken('webhook-delivery.other-status-retried', retried),
    ];
    expect(named(...all)[0]).toBe('webhook-delivery.other-status-retried');
  });

  test('by the answer after which all events are lost, and not by that none is to be', () => {
    const lost = broken('webhook-delivery.at-least-once', {
      expected: 'every event, again after it was refused',
      actual: '7 lost, each after the answer 503',
      isExample: true,
    });
    const way = { expected: 'a retry within 66 s after the answer 500', actual: 'none' };
    const retried = broken('webhook-delivery.issuance-retried', { ...way, shared: { wrong: 7, of: 105 } });
    expect(named({ ...lost, alsoHeld: true }, tried(retried, way))).toEqual([retried.id, lost.id]);
  });

  test('by the state that is not the invoice’s, and not by the link that it has none of', () => {
    const [ofLink, ofState] = ['nfe-query.danfe-link-when-authorised', 'nfe-query.follows-the-life-cycle'];
    const facts: Fact[] = [at('GET /openapi/v2/empresas/{empresaId}/nf-e/{nfeId}'), { name: 'status', value: '200' }];
    const link = { expected: 'an absolute http or https URL', actual: '""', facts };
    const state = { expected: 'Cancelada', actual: 'Autorizada', facts };
    const all = [
      broken(ofLink, { ...link, shared: { wrong: 52, of: 111, beside: [ofState] } }),
      broken(ofState, { ...state, shared: { wrong: 50, of: 335, beside: [ofLink] } }),
    ];
    expect(named(...all)).toEqual([ofState, ofLink]);
  });
});
