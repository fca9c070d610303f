import { describe, expect, test } from 'vitest';
import type { TraceRecord } from '../trace/records.ts';
import { spanOf } from './history.ts';
import { authorised, eventWith, valid } from './testing/records.ts';
import { brokenIn, keptIn, newStory, type Coming } from './testing/story.ts';

const start = '2031-05-17T09:30:00Z';
const body = { ...authorised, nfeDataEmissao: start };

/** An invoice that is issued, with what comes of it, and what a query says of it then. */
function issuedWith(comings: readonly Coming[], status: string) {
  const story = newStory();
  story.register();
  story.issue();
  story.advance(0, () => comings.forEach((coming) => story.comes({ channel: 'issuance', ...coming })));
  story.query(status);
  return story;
}

/** A document that is verified, with what comes of it at two addresses. */
function verifiedWith(comings: readonly Coming[]) {
  const story = newStory();
  story.save('a', 'b');
  story.verify();
  story.advance(0, () => comings.forEach((coming) => story.comes(coming)));
  return story;
}

describe('an invoice', () => {
  test('that is called back breaks nothing, at one address or two', () => {
    const story = issuedWith([{}, { address: 'b' }], 'Autorizada');
    expect(brokenIn(story.records)).toEqual([]);
    expect(keptIn(story.records)).toContain('issuance-callback.called-back-when-authorised');
  });

  test.each<[string, readonly Coming[], string, string]>([
    ['no callback', [], 'Autorizada', 'called-back-when-authorised'],
    ['no callback of a denial', [], 'Negada', 'called-back-when-denied'],
    ['a callback under another id', [{ body: { ...body, nfeId: 'PEDIDO-1' } }], 'Autorizada', 'nfe-id'],
    ['a callback of another company', [{ body: { ...body, empresaId: 'c-2' } }], 'Autorizada', 'empresa-id'],
    [
      'the callback of another invoice under its id',
      [{}, { body: { ...body, nfeChaveAcesso: '5'.repeat(44) }, headers: { 'x-service-event-id': 'e-2' } }],
      'Autorizada',
      'nfe-id',
    ],
    ['a query that says otherwise', [{}], 'Negada', 'agrees-with-query'],
    ['another token', [{ context: { hasToken: false } }], 'Autorizada', 'token'],
    [
      'an issuance time of the year before',
      [{ body: { ...body, nfeDataEmissao: '2030-05-17T09:30:00Z' } }],
      'Autorizada',
      'data-emissao',
    ],
  ])('with %s breaks that clause', (_, comings, status, clause) => {
    expect(brokenIn(issuedWith(comings, status).records)).toEqual([`issuance-callback.${clause}`]);
  });

  test.each<[string, readonly Coming[], readonly string[]]>([
    ['under an id that nobody issued under', [{ body: { ...body, nfeId: 'PEDIDO-1' } }], ['issuance-callback.nfe-id']],
    [
      'under such an id beside its own',
      [{}, { body: { ...body, nfeId: 'PEDIDO-1' }, headers: { 'x-service-event-id': 'e-2' } }],
      ['issuance-callback.nfe-id'],
    ],
    [
      'under the id of its own at a company that did not issue it',
      [{}, { body: { ...body, empresaId: 'c-2' }, headers: { 'x-service-event-id': 'e-2' } }],
      ['issuance-callback.empresa-id'],
    ],
  ])('a callback %s needs no query to be judged', (_, comings, broken) => {
    const story = newStory();
    story.register();
    story.issue();
    story.advance(0, () => comings.forEach((coming) => story.comes({ channel: 'issuance', ...coming })));
    expect(brokenIn(story.records)).toEqual(broken);
  });

  test.each([
    [0, []],
    [10_000, ['issuance-callback.agrees-with-query']],
  ])('that waits still in a query %i ms and a moment after its callback', (laterMs, broken) => {
    const { records } = issuedWith([{}], 'AguardandoAutorizacao');
    const queried = records.flatMap((record, at) =>
      record.kind === 'exchange' && at === records.length - 1
        ? [{ ...record, sentAtMs: record.sentAtMs + laterMs }]
        : [],
    );
    const all = [...records.slice(0, -1), ...queried];
    expect(brokenIn(all).filter((id) => id === 'issuance-callback.agrees-with-query')).toEqual(broken);
  });

  test.each<[string, readonly string[], readonly string[]]>([
    ['all callbacks under ids of nobody', ['X-1', 'X-2'], ['issuance-callback.nfe-id']],
    ['one of them, which may be of an invoice of before', ['X-1'], []],
    ['one under its own id beside them', ['X-1', 'pedido-2', 'X-2'], []],
  ])('on a clock that runs, with %s', (_, nfeIds, broken) => {
    const story = newStory();
    story.register();
    for (const nfeId of ['pedido-2', 'pedido-3']) story.issue(nfeId);
    for (const nfeId of nfeIds) {
      const headers = { 'x-service-event-id': `of ${nfeId}` };
      story.comes({ channel: 'issuance', body: { ...body, nfeId }, headers, context: { hasToken: true } });
    }
    expect(brokenIn(story.records)).toEqual(broken);
  });

  test('that is told in two ways breaks the clause of one outcome', () => {
    const story = issuedWith(
      [{}, { body: { ...body, nfeStatus: 'Negada' }, headers: { 'x-service-event-id': 'e-2' } }],
      'Autorizada',
    );
    expect(brokenIn(story.records)).toContain('issuance-callback.one-outcome');
  });

  test('whose callback may be held by the breaker, or waits for the authority, is not lost', () => {
    const held = issuedWith([{ context: { answer: 500 } }], 'Autorizada');
    held.issue('pedido-2');
    held.advance(0);
    held.query('Autorizada', 'pedido-2');
    expect(brokenIn(held.records)).toEqual([]);
    const waiting = newStory();
    waiting.register();
    waiting.steer('PUT', '/applications/app/authority', { reachable: false });
    waiting.issue();
    waiting.advance(0);
    waiting.query('Autorizada');
    expect(brokenIn(waiting.records)).toEqual([]);
  });
});

describe('an event', () => {
  const other = { 'x-service-event-id': 'e-2' };

  test('at each address under one id breaks nothing', () => {
    expect(brokenIn(verifiedWith([{}, { address: 'b' }]).records)).toEqual([]);
  });

  test('is judged, however close behind one another address, request and clock are', () => {
    const { records } = verifiedWith([{}, { address: 'b' }]);
    const begunMs = (record: TraceRecord): number => spanOf(record).fromMs;
    const close = records.map((record) => {
      if (record.kind !== 'exchange' && !(record.kind === 'steering' && record.method === 'PUT')) return record;
      const next = records.filter(({ kind }) => kind !== 'delivery').map(begunMs);
      const nextMs = Math.min(...next.filter((atMs) => atMs > begunMs(record)));
      return { ...record, durationMs: nextMs - begunMs(record) };
    });
    expect(keptIn(close)).toContain('webhook-delivery.all-targets');
  });

  test('as an event of its own at the other address breaks the id over addresses', () => {
    const own = { ...eventWith(valid), event_id: 'e-2' };
    const { records } = verifiedWith([{}, { address: 'b', body: own, headers: other }]);
    expect(brokenIn(records)).toContain('webhook-delivery.event-id-over-targets');
  });

  test.each<[string, readonly Coming[], string]>([
    ['nowhere', [], 'verdict-event.sent-when-settled'],
    ['at one of two addresses', [{}], 'webhook-delivery.all-targets'],
    [
      'under another id at the other address',
      [{}, { address: 'b', headers: other }],
      'webhook-delivery.event-id-over-targets',
    ],
    [
      'under another id once more',
      [{}, { headers: other }, { address: 'b' }],
      'webhook-delivery.event-id-kept-on-retry',
    ],
    [
      'of another document',
      [
        { body: { ...eventWith({ ...valid, chaveAcesso: '5'.repeat(44), verifiedAt: start }), occurred_at: start } },
        { address: 'b' },
      ],
      'verdict-event.chave-acesso',
    ],
    [
      'of a time that was not yet',
      [
        { body: { ...eventWith({ ...valid, verifiedAt: '2031-05-17T10:00:00Z' }), occurred_at: start } },
        { address: 'b' },
      ],
      'verdict-event.verified-at',
    ],
    [
      'with a signature of something else',
      [{ context: { signature: 'wrong' } }, { address: 'b' }],
      'webhook-signature.hmac-of-timestamp-and-body',
    ],
    ['at another path', [{ context: { isExact: false } }, { address: 'b' }], 'webhook-url.called-exactly'],
  ])('%s breaks a clause', (_, comings, clause) => {
    expect(brokenIn(verifiedWith(comings).records)).toContain(clause);
  });

  test.each([false, true])(
    'of an outcome under another id once more is another one only behind a cancellation: %s',
    (isCancelled) => {
      const story = issuedWith([{}], 'Autorizada');
      if (isCancelled) story.cancel();
      story.advance(0, () => story.comes({ body, headers: other }));
      const broken = brokenIn(story.records);
      expect(broken.includes('webhook-delivery.event-id-kept-on-retry')).toBe(!isCancelled);
      expect(broken.includes('issuance-callback.none-on-cancellation')).toBe(isCancelled);
    },
  );

  test('of an outcome that is told again behind a cancellation is none of it', () => {
    const story = issuedWith([{}], 'Autorizada');
    story.cancel();
    story.advance(0, () => {
      story.comes({ body });
      story.comes({ body, headers: other, address: 'b' });
    });
    expect(brokenIn(story.records)).not.toContain('issuance-callback.none-on-cancellation');
  });

  test('that has the id of another breaks the clause of ids', () => {
    const two = { body: { ...body, nfeId: 'pedido-2' } };
    expect(brokenIn(issuedWith([{}, two], 'Autorizada').records)).toContain('webhook-delivery.event-id-of-its-own');
  });

  test.each([
    ['Autorizada', '2031-05-17T09:30:02Z', 200, false],
    ['Cancelada', '2031-05-17T09:30:02Z', 500, false],
    ['Cancelada', '2031-05-17T09:30:02Z', 200, true],
    ['Autorizada', '2031-05-17T10:30:00Z', 500, false],
    ['Autorizada', '2031-05-17T10:30:00Z', 200, true],
  ])('that has the id of one of before, %s at %s after an answer of %i', (status, verifiedAt, answer, isBroken) => {
    const story = verifiedWith([{ context: { answer } }, { address: 'b', context: { answer } }]);
    story.verify();
    const again = { body: { ...eventWith({ ...valid, status, verifiedAt }), occurred_at: verifiedAt } };
    story.advance(3600, () => story.comes({ at: 3600, ...again }));
    const broken = brokenIn(story.records).includes('webhook-delivery.event-id-of-its-own');
    expect(broken).toBe(isBroken);
  });

  test('that is signed with the former secret after a rotation breaks the clause of new events, or that of retries', () => {
    const story = verifiedWith([{ context: { answer: 500 } }, { address: 'b' }]);
    story.steer('POST', '/applications/app/secret', {});
    story.advance(120, () => story.comes({ at: 60, context: { signature: 'by a former secret' } }));
    expect(brokenIn(story.records)).toEqual(['webhook-signature.new-secret-on-retries']);
  });
});

test('an address is saved where its tests were acknowledged, and else is not', () => {
  const save = (answer: number, status: number) => {
    const story = newStory();
    const headers = { 'x-service-event': 'webhook.verify' };
    const test = { headers, body: { event_type: 'webhook.verify' }, context: { answer } };
    story.steer('PUT', '/applications/app/verification-webhook', { urls: ['a'] }, () => story.comes(test), status);
    return brokenIn(story.records);
  };
  expect([save(204, 200), save(404, 422)]).toEqual([[], []]);
  expect(save(204, 422)).toEqual(['webhook-url.saved-when-acknowledged']);
  expect(save(302, 200)).toEqual(['webhook-url.not-saved-otherwise']);
});

describe('a document that is verified an hour later, in the millisecond in which the clock was moved', () => {
  const told = (verifiedAt: string) => {
    const story = verifiedWith([{}, { address: 'b' }]);
    story.advance(3600);
    const moved = story.records.pop();
    story.verify();
    const asked = story.records.pop();
    if (moved?.kind !== 'steering' || asked?.kind !== 'exchange') throw new Error('the story is told otherwise');
    // A duration has parts of a millisecond, a beginning has none.
    const durationMs = moved.durationMs + 0.7;
    story.records.push({ ...moved, durationMs }, { ...asked, sentAtMs: Math.floor(moved.atMs + durationMs) });
    const usual = eventWith({ ...valid, verifiedAt, dataAutorizacao: null });
    const coming = {
      at: 3600,
      headers: { 'x-service-event-id': 'of-the-hour' },
      body: { ...usual, event_id: 'of-the-hour', occurred_at: verifiedAt },
    };
    story.advance(0, () => ['a', 'b'].forEach((address) => story.comes({ ...coming, address })));
    return brokenIn(story.records);
  };

  test('was verified at that hour', () => {
    expect(told('2031-05-17T10:30:00.000Z')).toEqual([]);
  });

  test('was not verified an hour before', () => {
    expect(told('2031-05-17T09:30:00.000Z')).toEqual(['verdict-event.verified-at', 'verdict-event.occurred-at']);
  });
});
