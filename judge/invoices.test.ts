import { describe, expect, test } from 'vitest';
import { authorised, callbackOf, type RecordWish, recordOf, steeringOf } from './testing/records.ts';
import { brokenBy, keptBy, brokenByHistory, keptByHistory } from './testing/story.ts';
import type { ExchangeRecord, TraceRecord } from '../trace/records.ts';

describe('invoices', () => {
  const faults = [{ codigo: 'E1', mensagem: 'não' }];
  const issuance: RecordWish = { target: '/openapi/v2/empresas/e1/nf-e', requestBody: '{"id":"a"}' };
  const query: RecordWish = { method: 'GET', target: '/openapi/v2/empresas/e1/nf-e/n1', requestHeaders: {} };
  const cancellation: RecordWish = { ...query, method: 'DELETE' };
  const link = 'https://files.example/a?token=b';
  const authorised = { status: 'Autorizada', linkDanfe: link, linkDownloadXml: link };
  const refused = { success: false, errorType: 1, code: 10009003, message: 'x' };

  describe('what is right breaks nothing, however it differs in what is free', () => {
    test.each<[string, RecordWish, string]>([
      ['an issuance', issuance, 'nfe-issuance.no-content'],
      ['a refusal', { ...issuance, status: 400, body: faults }, 'nfe-issuance.error-array'],
      [
        'a refusal with more',
        { ...issuance, status: 404, body: [{ codigo: 7, mensagem: 'x', campo: null }] },
        'nfe-issuance.error-array',
      ],
      ['no id', { ...issuance, requestBody: '{}', status: 400, body: faults }, 'nfe-issuance.id-required'],
      ['a query', { ...query, body: authorised }, 'nfe-query.xml-link'],
      [
        'other names',
        { ...query, body: { status: 'Autorizada', linkDanfe: link, urlXML: link, code: undefined } },
        'nfe-query.xml-link',
      ],
      ['no link', { ...query, body: { status: 'Negada' } }, 'nfe-query.no-danfe-link-when-denied'],
      ['null', { ...query, body: { status: 'Cancelada', linkDanfe: null } }, 'nfe-query.no-danfe-link-when-cancelled'],
      [
        '""',
        { ...query, body: { status: 'AguardandoAutorizacao', linkDanfe: '' } },
        'nfe-query.no-danfe-link-while-waiting',
      ],
      ['not found', { ...query, status: 404, body: faults }, 'nfe-query.unknown-id'],
      ...["c$&'();=1", 'S%C3%A3o%20Jos%C3%A9', '..1', '100%25', 'a%2Fb', 'a%252Fb%25'].map(
        (id): [string, RecordWish, string] => [
          `a query of ${id}`,
          { ...query, target: `/openapi/v2/empresas/${id}/nf-e/n1`, body: authorised },
          'nfe-query.bare-object',
        ],
      ),
      ['a cancellation', cancellation, 'nfe-cancellation.empty-body'],
      ['nothing to cancel', { ...cancellation, status: 404, body: faults }, 'nfe-cancellation.unknown-id'],
      ['not to be cancelled', { ...cancellation, status: 400, body: faults }, 'nfe-cancellation.error-array'],
    ])('%s', (_, wish, kept) => {
      expect(brokenBy(wish)).toEqual([]);
      expect(keptBy(wish)).toContain(kept);
    });
  });

  test.each(['..', '..;a', '%2E%2E', '%252e', 'a%00'])(
    'of a company whose id somebody may read otherwise nothing is said: %s',
    (id) => {
      expect(keptBy({ ...query, target: `/openapi/v2/empresas/${id}/nf-e/n1`, body: authorised })).not.toContain(
        'nfe-query.bare-object',
      );
    },
  );

  describe('what is wrong breaks one clause', () => {
    test.each<[string, RecordWish]>([
      ['nfe-issuance.status-200', { ...issuance, status: 202 }],
      ['nfe-issuance.no-content', { ...issuance, body: '{}' }],
      ['nfe-issuance.no-content', { ...issuance, body: '\n' }],
      ['nfe-issuance.no-content', { ...issuance, body: { success: true, message: '', data: null } }],
      ['nfe-issuance.error-array', { ...issuance, status: 400, body: { ...refused, code: 1 } }],
      ['nfe-query.unknown-id', { ...query, status: 404, body: { erros: faults }, signing: { aheadSeconds: 299 } }],
      ['nfe-issuance.error-array', { ...issuance, status: 404, body: [] }],
      ['nfe-issuance.error-array', { ...issuance, signing: {}, status: 400, body: { error: 'Bad Request' } }],
      ['nfe-issuance.error-array', { ...issuance, status: 400, body: [{ codigo: 'a' }] }],
      ['nfe-issuance.error-array', { ...issuance, signing: {}, status: 404, body: '' }],
      ['nfe-query.unknown-id', { ...query, signing: {}, status: 404, body: '<p>Not found</p>' }],
      ['nfe-issuance.id-required', { ...issuance, requestBody: '{"ambienteEmissao":"Producao"}' }],
      ['nfe-issuance.id-string', { ...issuance, requestBody: '{"id":12}' }],
      ['nfe-issuance.malformed-json', { ...issuance, requestBody: '[]' }],
      ['nfe-query.bare-object', { ...query, body: { success: true, message: '', data: authorised } }],
      ['nfe-query.bare-object', { ...query, status: 203, body: authorised }],
      ['nfe-query.bare-object', { ...query, body: '"Autorizada"' }],
      ['nfe-query.status-known', { ...query, body: { status: 'autorizada' } }],
      ['nfe-query.status-known', { ...query, body: { id: 'a' } }],
      ['nfe-query.danfe-link-when-authorised', { ...query, body: { ...authorised, linkDanfe: '/danfe' } }],
      ['nfe-query.danfe-link-when-authorised', { ...query, body: { ...authorised, linkDanfe: undefined } }],
      ['nfe-query.xml-link', { ...query, body: { ...authorised, linkDownloadXml: null } }],
      ['nfe-query.no-danfe-link-when-denied', { ...query, body: { status: 'Negada', linkDanfe: link } }],
      ['nfe-query.no-danfe-link-when-cancelled', { ...query, body: { status: 'Cancelada', linkDanfe: link } }],
      [
        'nfe-query.no-danfe-link-while-waiting',
        { ...query, body: { status: 'AguardandoAutorizacao', linkDanfe: link } },
      ],
      ['nfe-query.unknown-id', { ...query, status: 404, body: { code: 1, message: 'x' } }],
      ['nfe-cancellation.status-200', { ...cancellation, status: 204 }],
      ['nfe-cancellation.empty-body', { ...cancellation, body: '{}' }],
      ['nfe-cancellation.unknown-id', { ...cancellation, status: 404, body: { codigo: 1, mensagem: 'x' } }],
      ['nfe-cancellation.error-array', { ...cancellation, status: 400, body: { code: 1, message: 'x' } }],
      ['nfe-cancellation.error-array', { ...cancellation, status: 409, body: faults }],
    ])('%s: %j', (clause, wish) => {
      expect(brokenBy(wish)).toEqual([clause]);
    });
  });

  describe('nothing is said of what the clauses do not speak of', () => {
    test.each<RecordWish>([
      { ...issuance, body: refused },
      { ...issuance, body: faults },
      { ...issuance, status: 400, body: '<html>' },
      { ...issuance, status: 404, body: { message: 'no Route matched' } },
      { ...issuance, status: 400, body: '{}', isRightlySigned: false },
      { ...issuance, status: 415, body: '{}' },
      { ...issuance, status: 500, body: '{}' },
      { ...issuance, status: 503, body: '{}' },
      { ...issuance, requestBody: '{"Id":"a"}' },
      { ...issuance, requestBody: '[]', requestHeaders: { 'content-type': 'text/plain' } },
      { ...query, body: faults },
      { ...query, body: { code: 1, message: 'x' } },
      { ...query, status: 400, body: { code: 1, message: 'x' } },
      { ...query, status: 404, target: '/openapi/v2/empresas/e1/nf-e/%2F', body: { code: 1, message: 'x' } },
      { ...cancellation, body: refused },
    ])('%j', (wish) => {
      expect(brokenBy(wish)).toEqual([]);
    });
  });
});

describe('life cycle', () => {
  const own = { name: 'app-1', standing: {} };
  const stranger = { name: 'app-2', standing: {} };
  const clocked = { ...own, hasOwnClock: true } as const;
  const refused = [{ codigo: '1', mensagem: 'x' }];
  const start = Date.parse('2031-05-17T09:30:00Z') / 1000;

  function at(sentAtMs: number, wish: RecordWish): ExchangeRecord {
    return recordOf({ caller: own, nowSeconds: 1000, requestHeaders: {}, sentAtMs, ...wish });
  }

  const register = (ms: number, wish: RecordWish = {}): ExchangeRecord =>
    at(ms, { target: '/openapi/v2/empresas', body: { empresaId: 'e1' }, ...wish });
  const issue = (ms: number, wish: RecordWish = {}): ExchangeRecord =>
    at(ms, { target: '/openapi/v2/empresas/e1/nf-e', requestBody: '{"id":"n1"}', ...wish });
  const upload = (ms: number, wish: RecordWish = {}): ExchangeRecord =>
    at(ms, { target: '/openapi/v1/empresas/e1/certificadoDigital', ...wish });
  const query = (ms: number, wish: RecordWish = {}): ExchangeRecord =>
    at(ms, { method: 'GET', target: '/openapi/v2/empresas/e1/nf-e/n1', ...wish });
  const found = (ms: number, status: string, wish: RecordWish = {}): ExchangeRecord =>
    query(ms, { body: { status }, ...wish });
  const cancel = (ms: number, wish: RecordWish = {}): ExchangeRecord =>
    at(ms, { method: 'DELETE', target: '/openapi/v2/empresas/e1/nf-e/n1', ...wish });
  /** Under way until the fortieth millisecond, and known no earlier. */
  const slow = (ms: number): RecordWish => ({ durationMs: 40 - ms });
  const missing = { status: 404, body: refused };
  /** Of an application that the control API has made. */
  const ofMade: RecordWish = { caller: { isMade: true } };
  /** Of a company whose application has a clock of its own. */
  const onTheirs = (ms: number, wish: RecordWish = {}): ExchangeRecord =>
    issue(ms, { requestHeaders: { 'content-type': 'application/json' }, ...onClock(0), ...wish });
  const another = (ms: number, wish: RecordWish = {}): ExchangeRecord =>
    onTheirs(ms, { requestBody: '{"id":"n2"}', ...wish });
  const other = { target: '/openapi/v2/empresas/e2/nf-e/n1' };
  const made = steeringOf(0, 'POST /applications', { clock: '2031-05-17T09:30:00Z', settleSeconds: 60 });
  const advance = (ms: number, advanceSeconds: number): TraceRecord =>
    steeringOf(ms, 'POST /applications/app-1/clock', { advanceSeconds });
  const onClock = (seconds: number): RecordWish => ({ caller: clocked, nowSeconds: start + seconds });

  describe('a life that no right server leads breaks one clause', () => {
    test.each<[string, readonly TraceRecord[]]>([
      ['nfe-query.found-by-id', [issue(10), query(20, missing)]],
      ['nfe-query.found-by-id', [issue(10), query(20, { status: 500 })]],
      ['nfe-query.found-by-id', [issue(10), query(20, { status: 400, body: '', signing: {} })]],
      ['nfe-query.found-by-id', [issue(10), query(20, { status: 404, body: '<p>Not found</p>', signing: {} })]],
      ['nfe-issuance.id-unique-in-company', [issue(10), found(20, 'Autorizada'), issue(30)]],
      [
        'nfe-issuance.id-unique-in-company',
        [issue(10), cancel(15), found(20, 'Cancelada'), issue(30, { status: 409, body: refused })],
      ],
      ['nfe-query.follows-the-life-cycle', [issue(10), found(20, 'Autorizada'), found(30, 'AguardandoAutorizacao')]],
      ['nfe-query.follows-the-life-cycle', [issue(10), found(20, 'Autorizada'), found(30, 'Negada')]],
      ['nfe-query.follows-the-life-cycle', [issue(10), found(20, 'Negada'), found(30, 'Autorizada')]],
      ['nfe-query.follows-the-life-cycle', [issue(10), cancel(15), found(20, 'Cancelada'), found(30, 'Autorizada')]],
      ['nfe-query.follows-the-life-cycle', [issue(10), found(20, 'Cancelada')]],
      [
        'nfe-query.follows-the-life-cycle',
        [made, issue(10, onClock(0)), advance(20, 60), found(30, 'AguardandoAutorizacao', onClock(60))],
      ],
      ['nfe-query.waits-for-authority', [made, issue(10, onClock(0)), found(20, 'Autorizada', onClock(0))]],
      ['nfe-cancellation.found-by-id', [issue(10), found(20, 'Autorizada'), cancel(30, missing)]],
      [
        'nfe-cancellation.status-200',
        [issue(10, ofMade), found(20, 'Autorizada', ofMade), cancel(30, { status: 400, body: refused, ...ofMade })],
      ],
      ['nfe-cancellation.status-200', [issue(10), found(20, 'Autorizada'), cancel(30, { status: 500 })]],
      [
        'nfe-cancellation.status-200',
        [issue(10), found(20, 'Autorizada'), cancel(30, { status: 400, signing: {}, body: '' })],
      ],
      ['nfe-issuance.company-of-its-integrator', [register(10), issue(20, { caller: stranger })]],
      ['nfe-issuance.company-of-its-integrator', [register(10), upload(20, { caller: stranger })]],
      ['nfe-query.not-by-other-integrator', [register(10), issue(20), found(30, 'Autorizada', { caller: stranger })]],
      ['nfe-cancellation.not-by-other-integrator', [register(10), issue(20), cancel(30, { caller: stranger })]],
      ['nfe-query.not-in-other-company', [issue(10), found(20, 'Autorizada', other)]],
      ['nfe-query.not-in-other-company', [found(10, 'Autorizada'), found(20, 'Autorizada', other)]],
      ['nfe-query.unknown-id', [register(10), found(20, 'Autorizada')]],
      ['nfe-cancellation.unknown-id', [register(10), cancel(20)]],
    ])('%s: %#', (clause, records) => {
      expect(brokenByHistory(records)).toEqual([clause]);
    });

    test('what a company issued is issued under another id, whatever became of others', () => {
      expect(brokenByHistory([onTheirs(10), found(20, 'Negada'), another(30, missing)])).toEqual([
        'nfe-issuance.status-200',
      ]);
    });

    test('what is found that was refused is left behind, which is only implied', () => {
      const broken = brokenByHistory([issue(10, { status: 400, body: refused }), found(20, 'Negada')]);
      expect(broken).toEqual(['nfe-issuance.refused-leaves-nothing']);
    });

    test('what is called back that was refused is left behind', () => {
      const callback = callbackOf({ ...authorised, nfeId: 'n1', empresaId: 'e1' });
      const broken = brokenByHistory([issue(10, { status: 400, body: refused }), callback]);
      expect(broken).toContain('nfe-issuance.refused-leaves-nothing');
      expect(brokenByHistory([issue(10), callback])).not.toContain('nfe-issuance.refused-leaves-nothing');
    });
  });

  describe('what a right server may do is accused of nothing', () => {
    const unreachable = steeringOf(5, 'PUT /applications/app-1/authority', { reachable: false });
    test.each<[string, readonly TraceRecord[]]>([
      ['a whole life', [issue(10), found(20, 'AguardandoAutorizacao'), found(30, 'Autorizada'), cancel(40)]],
      ['a cancellation that takes its time', [issue(10), found(20, 'Autorizada'), cancel(30), found(40, 'Autorizada')]],
      ['an id that was denied is free again', [issue(10), found(20, 'Negada'), issue(30), found(40, 'Autorizada')]],
      ['an id that may have been denied', [issue(10), issue(30)]],
      [
        'what may be the former of two invoices under one id',
        [
          made,
          issue(10, onClock(0)),
          advance(20, 50),
          issue(30, onClock(50)),
          advance(40, 10),
          found(50, 'Negada', onClock(60)),
        ],
      ],
      ['requests that overlap', [issue(10), found(20, 'Autorizada'), found(20, 'AguardandoAutorizacao')]],
      ['a query under way while the invoice is issued', [issue(10), query(10, missing)]],
      ['an invoice of before', [query(20, missing), found(30, 'Cancelada')]],
      ['no answer of the service', [issue(10), query(20, { status: 404, body: '<html>' }), query(30, { status: 503 })]],
      ['a cancellation whose answer was lost', [issue(10), cancel(15, missing), found(20, 'Cancelada')]],
      ['cancelled twice', [issue(10), found(20, 'Autorizada'), cancel(30), cancel(40, { status: 400, body: refused })]],
      ['cancelled late', [issue(10), found(20, 'Autorizada'), cancel(30, { ...missing, nowSeconds: 90_000 })]],
      ['cancelled without the authority', [unreachable, issue(10), found(20, 'Autorizada'), cancel(30, missing)]],
      ['a company of both', [register(10), register(12, { caller: stranger }), issue(20, { caller: stranger })]],
      ['a company of before', [issue(20), found(30, 'Autorizada', { caller: stranger })]],
      [
        'an invoice of each company',
        [issue(10), issue(12, { target: '/openapi/v2/empresas/e2/nf-e' }), found(20, 'Negada', other)],
      ],
      [
        'an authority that is out of reach',
        [made, unreachable, issue(10, onClock(0)), advance(20, 60), found(30, 'AguardandoAutorizacao', onClock(60))],
      ],
      ['what was issued on another clock', [onTheirs(10, { caller: own }), another(20, { ...missing, caller: own })]],
      ['a certificate between', [onTheirs(10), upload(15), another(20, missing)]],
      ['an authority out of reach', [onTheirs(10), unreachable, another(20, missing)]],
      ['a day later', [onTheirs(10), another(20, { ...missing, ...onClock(90_000) })]],
      ['another invoice', [onTheirs(10), another(20, { ...missing, requestBody: '{"id":"n2","itens":[]}' })]],
      ['an id of unusual shape', [onTheirs(10), another(20, { ...missing, requestBody: '{"id":"n 2"}' })]],
      ['an id like one of before', [onTheirs(10), another(20, { ...missing, requestBody: '{"id":"N1"}' })]],
      ['an outcome when it is due', [made, issue(10, onClock(0)), advance(20, 60), found(30, 'Negada', onClock(60))]],
      [
        'a wait of what was issued anew after a denial',
        [
          made,
          issue(10, onClock(0)),
          advance(20, 60),
          found(30, 'Negada', onClock(60)),
          issue(40, onClock(60)),
          found(50, 'AguardandoAutorizacao', onClock(60)),
        ],
      ],
      [
        'a wait when it is not',
        [made, issue(10, onClock(0)), advance(20, 59), found(30, 'AguardandoAutorizacao', onClock(59))],
      ],
      [
        'a cancellation that may be refused by the tax authority',
        [issue(10), found(20, 'Autorizada'), cancel(30, { status: 400, body: refused })],
      ],
      [
        'a clock that is being moved',
        [made, issue(10, onClock(0)), advance(20, 60), found(20, 'Autorizada', onClock(0))],
      ],
    ])('%s', (_, records) => {
      expect(brokenByHistory(records)).toEqual([]);
    });
  });

  test('what was seen to hold is told', () => {
    expect(keptByHistory([issue(10), found(20, 'Autorizada'), cancel(30), issue(40, missing)])).toEqual([
      'nfe-query.found-by-id',
      'nfe-query.follows-the-life-cycle',
      'nfe-cancellation.found-by-id',
      'nfe-cancellation.status-200',
      'nfe-issuance.id-unique-in-company',
    ]);
  });

  describe('what was under way at the same time, and ended later, may have been done first', () => {
    test.each<[string, readonly TraceRecord[]]>([
      ['a cancellation', [issue(10), found(30, 'Cancelada'), cancel(25, slow(25))]],
      ['an issuance', [register(5), found(30, 'AguardandoAutorizacao'), issue(25, slow(25))]],
      [
        'an issuance in another company',
        [
          issue(10),
          found(30, 'Autorizada', other),
          at(25, { ...slow(25), target: '/openapi/v2/empresas/e2/nf-e', requestBody: '{"id":"n1"}' }),
        ],
      ],
      [
        'a cancellation whose answer was lost, sent again later',
        [issue(10), found(20, 'Cancelada'), { ...cancel(30, { status: 400, body: refused }), isResent: true }],
      ],
    ])('%s', (_, records) => {
      expect(brokenByHistory(records)).toEqual([]);
    });

    test('and what began later did not', () => {
      expect(brokenByHistory([issue(10), found(20, 'Cancelada'), cancel(30)])).toEqual([
        'nfe-query.follows-the-life-cycle',
      ]);
    });
  });
});
