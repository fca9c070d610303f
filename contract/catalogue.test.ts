import { expect, test, describe } from 'vitest';
import {
  assuranceOf,
  isWithheldWithoutLeave,
  catalogue,
  findClause,
  isJudged,
  buildsOn,
  foundation,
  entriesFor,
  isExpired,
  liveAt,
} from './catalogue.ts';
import { type Clause, needs, type Need, type NeedName } from './clause.ts';
import { readings, readingsOf } from './readings.ts';
import { xmlLinkIn } from './values.ts';

describe('assurance', () => {
  const clause: Clause = { id: 'echo.a', section: '4.1', level: 'must', binds: 'service', statement: 'It is so.' };

  test.each<[string, readonly NeedName[], readonly NeedName[] | undefined]>([
    ['secret', [], undefined],
    ['credentials', ['disabled-application'], undefined],
    ['receiver', ['authorised-issuance', 'callbacks'], undefined],
    ['control', ['callbacks', 'movable-clock', 'empresa'], undefined],
    ['receiver', ['movable-clock', 'callbacks'], ['stored-deliveries']],
    ['credentials', ['empresa'], ['stored-deliveries']],
  ])('level %s exercises a clause that needs %j, or else %j', (level, wanted, needsInstead) => {
    expect(assuranceOf({ ...clause, needs: wanted, ...(needsInstead && { needsInstead }) })).toBe(level);
  });

  test('the ladder of retries belongs to the level of a receiver, which can store it overnight', () => {
    const ladder = catalogue.filter(({ id, needsInstead }) => id.startsWith('webhook-') && needsInstead !== undefined);
    expect(ladder.map(({ id }) => id)).toContain('webhook-delivery.retry-delays');
    expect(new Set(ladder.map(assuranceOf))).toEqual(new Set(['receiver']));
  });

  test('what needs a control API, and no setting supplies, belongs to the level of control', () => {
    const isOfControl = (need: Need): boolean =>
      need.settings.length === 0 && need.profileFiles === undefined && need.argument === undefined;
    for (const need of Object.values<Need>(needs)) expect(need.level === 'control', need.text).toBe(isOfControl(need));
  });

  test('only what asks for a real issuance is withheld without leave', () => {
    const withheld = catalogue.filter(isWithheldWithoutLeave).map(({ id }) => id);
    expect(withheld).toEqual(['nfe-issuance.ambiente-known', 'nfe-issuance.both-ambientes']);
    expect(findClause('nfe-issuance.both-ambientes')?.needs).toContain('real-issuance');
  });
});

describe('builds on', () => {
  const judged = catalogue.filter(isJudged);

  describe('what clauses stand on', () => {
    test('are clauses that a run judges, each named once', () => {
      for (const { id, buildsOn: below = [] } of catalogue) {
        expect(new Set(below).size, id).toBe(below.length);
        for (const one of below) expect(judged, `${id} stands on ${one}`).toContain(findClause(one));
      }
    });

    test('is never a clause itself, by however many steps', () => {
      expect(judged.filter(({ id }) => buildsOn(id).has(id)).map(({ id }) => id)).toEqual([]);
    });

    test('is in the end that a correct request passes, for every judged clause but that one', () => {
      const loose = judged.filter(({ id }) => !buildsOn(id).has(foundation)).map(({ id }) => id);
      expect(loose).toEqual([foundation]);
    });

    test('is what those stand on, too', () => {
      expect(buildsOn('webhook-delivery.retry-delays')).toEqual(
        new Set([
          'webhook-delivery.other-status-retried',
          'issuance-callback.nfe-id',
          'issuance-callback.called-back-when-authorised',
          'issuance-callback.called-back-when-denied',
          'nfe-issuance.denial-accepted',
          'verdict-event.sent-when-settled',
          'nfe-verification.validation-status',
          'nfe-verification.bare',
          foundation,
        ]),
      );
    });

    test('leaves out what follows from it', () => {
      const twice = judged.flatMap(({ id, buildsOn: below = [] }) =>
        below.filter((one) => below.some((other) => buildsOn(other).has(one))).map((one) => `${id}: ${one}`),
      );
      expect(twice).toEqual([]);
    });
  });
});

describe('known deviation', () => {
  test('a reason alone is an entry that names nothing', () => {
    expect(entriesFor({ 'echo.a': 'TICKET-1' }, 'echo.a')).toEqual([{ reason: 'TICKET-1' }]);
    expect(entriesFor({ 'echo.a': 'TICKET-1' }, 'toString')).toEqual([]);
  });

  test.each([
    ['2026-11-21T23:59:59.000Z', false],
    ['2026-11-22T00:00:00.000Z', true],
  ])('an entry until 2026-11-21 has run out at %s: %s', (at, isOver) => {
    expect(isExpired({ reason: 'T', until: '2026-11-21' }, at)).toBe(isOver);
    expect(isExpired({ reason: 'T' }, at)).toBe(false);
  });

  test('what has run out is not accepted any more, and leaves its clause unlisted where nothing else is', () => {
    const [past, live] = [{ reason: 'T-1', until: '2020-01-01' }, { reason: 'T-2' }];
    const known = { 'echo.a': [past, live], 'echo.b': [past], 'echo.c': 'T-3' };
    expect(liveAt(known, '2026-11-21T02:00:00.000Z')).toEqual({ 'echo.a': [live], 'echo.c': [{ reason: 'T-3' }] });
  });
});

describe('readings', () => {
  test('readings stand in the order of their numbers, each once', () => {
    const numbers = readings.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other));
  });

  test('each reading is of clauses that a run judges, each once', () => {
    for (const { number, clauses } of readings) {
      const ids: readonly string[] = clauses;
      const known = catalogue.filter(({ id }) => ids.includes(id));
      expect(known, `reading ${number}`).toHaveLength(clauses.length);
      expect(known.filter(({ unobservable }) => unobservable !== undefined)).toEqual([]);
    }
  });

  test('a clause that a reading calls implied fails no run, and one whose words leave no doubt has none', () => {
    const implied = (id: string): boolean => catalogue.some((clause) => clause.id === id && clause.level === 'implied');
    expect(
      ['nfe-issuance.unknown-company', 'verdict-event.reason-in-english', 'webhook-delivery.media-type'].map(implied),
    ).toEqual([true, true, true]);
    expect(readingsOf('token.verbatim')).toEqual([]);
  });
});

const [link, other] = ['https://docs.example/a?token=b', 'http://docs.example/c'];

test.each<[string, object]>([
  ['by itself', { linkDanfe: other, urlDoXML: link }],
  ['behind the name of a namespace', { xmlns: other, xml: link }],
  ['behind a schema', { xmlSchema: other, xml: link }],
  ['behind what is called no link', { xmlConsulta: other, linkDownloadXml: link }],
  ['behind the link of an event', { linkXmlCancelamento: other, linkXml: link }],
  ['in an object of links', { linkDanfe: other, links: { self: other, xml: link } }],
  ['in an object of its own', { arquivos: { xml: { tamanho: 1, url: link } } }],
])('the link to the XML is found %s', (_, invoice) => {
  expect(xmlLinkIn(invoice)).toBe(link);
});

test.each<[unknown]>([
  [undefined],
  [{ xmlns: other, xmlSchema: other, xmlNamespace: other }],
  [{ linkXml: null, linkXmlCancelamento: other, eventos: { cancelamento: { xml: other } } }],
  [{ linkXml: '', xml: null, linkDanfe: other, links: { linkDanfe: other } }],
  [{ itens: [{ xml: other }], linkXml: '/relative' }],
])('there is none in %j', (invoice) => {
  expect(xmlLinkIn(invoice)).toBeUndefined();
});
