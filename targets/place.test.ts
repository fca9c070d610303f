import { expect, test } from 'vitest';
import { endpoints, fillPath } from '../contract/endpoints.ts';
import { retiredEndpoints } from '../contract/retired.ts';
import { mostPlaces } from './traffic/memory.ts';
import { controlPlaceOf, linkPlace, placeCount, placeOf } from './place.ts';

test('every endpoint, links, anywhere else and the control API have places of their own, and there is memory for all', () => {
  const values = { empresaId: 'e', nfeId: 'n', chave: 'c', cnpj: '1', cpf: '2', nascimento: '3' };
  const called = [...endpoints, ...retiredEndpoints].map(({ method, path }) =>
    placeOf({ method, target: fillPath(path, values) }),
  );
  const others = [placeOf({ method: 'GET', target: '/nowhere' }), controlPlaceOf('/a'), controlPlaceOf('/a/clock')];
  const places = [...called, linkPlace, ...others];
  expect(new Set(places).size).toBe(places.length);
  expect(Math.max(...places)).toBeLessThan(placeCount);
  expect(placeCount).toBeLessThanOrEqual(mostPlaces);
  expect(placeOf({ method: 'GET', target: '/any', isLink: true })).toBe(linkPlace);
});
