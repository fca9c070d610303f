import { createHash } from 'node:crypto';
import type { Faker } from '@faker-js/faker';

/** Makes something up from that text: the same for the same text, whoever asks and whenever. */
export async function madeUpFrom<T>(text: string, make: (faker: Faker) => T): Promise<T> {
  // Loaded with the first lookup: its names would slow down every start.
  const { faker } = await import('@faker-js/faker/locale/pt_BR');
  faker.seed(createHash('sha256').update(text).digest().readUInt32BE());
  return make(faker);
}

/** A day from the first one to the last one, both as `YYYY-MM-DD`. */
export function dayBetween(faker: Faker, from: string, to: string): string {
  return faker.date
    .between({ from: `${from}T00:00:00Z`, to: `${to}T23:59:59Z` })
    .toISOString()
    .slice(0, 10);
}

/** As registries write texts: capitals, without accents. */
export function registryText(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toUpperCase();
}
