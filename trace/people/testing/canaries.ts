import { allowanceOf, newPeople, type People } from '../memory.ts';
import type { Allowance } from '../veil.ts';
import fc from 'fast-check';

/** People of nobody's profile, and what the suite sent. */
export function strangers(own: readonly string[] = [], known: ReadonlyMap<string, string> = new Map()): People {
  return newPeople(known, 'the-app-secret-of-the-run', own);
}

/** An allowance where nobody is known and nothing was sent, but for these. */
export function allowing(own: readonly string[] = [], known?: ReadonlyMap<string, string>): Allowance {
  return allowanceOf(strangers(own, known), ['$NFE_APP_SECRET']);
}

/** Something of somebody that may show nowhere, and the pieces of it that tell. */
export interface Canary {
  readonly text: string;
  readonly telling: readonly string[];
}

const firstNames = ['Maria', 'João', 'Conceição', 'Iracema', 'Antônio', 'Zuleica', "D'Ávila", 'Ubirajara'];
const lastNames = ['Canária', 'Siqueira', 'Guimarães', 'Kowalski', 'Assunção', 'Xavantes', 'Bittencourt'];
const streets = ['Rua das Acácias', 'Avenida Brigadeiro Quaresma', 'Travessa Ipiranga Velha', 'Alameda dos Jacarandás'];

const digits = (length: number): fc.Arbitrary<string> =>
  fc.array(fc.integer({ min: 1, max: 9 }), { minLength: length, maxLength: length }).map((figures) => figures.join(''));

const name = fc
  .tuple(
    fc.constantFrom(...firstNames),
    fc.constantFrom('', 'da ', 'de Souza '),
    fc.constantFrom(...lastNames),
    fc.boolean(),
  )
  .map(([first, middle, last, isLoud]): Canary => {
    const text = `${first} ${middle}${last}`;
    return isLoud
      ? { text: text.toUpperCase(), telling: [first.toUpperCase(), last.toUpperCase()] }
      : { text, telling: [first, last] };
  });

const cpf = fc.tuple(digits(11), fc.boolean()).map(([number, isDotted]): Canary => {
  const dotted = number.replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4');
  const text = isDotted ? dotted : number;
  return { text, telling: [text] };
});

const phone = fc
  .tuple(fc.integer({ min: 21, max: 99 }), digits(9), fc.constantFrom('(A) B-C', '+55 A B-C', 'ABC', '0A B.C'))
  .map(([area, number, form]): Canary => {
    const [start, end] = [number.slice(0, 5), number.slice(5)];
    const text = form.replace('A', String(area)).replace('B', start).replace('C', end);
    return { text, telling: [text] };
  });

const street = fc.tuple(fc.constantFrom(...streets), fc.integer({ min: 1, max: 99 })).map(([text, number]): Canary => {
  return { text: `${text}, ${number}`, telling: [text.split(' ').at(-1) ?? text] };
});

const email = fc.stringMatching(/^[a-z]{4,9}\.[a-z]{4,9}$/).map((user): Canary => {
  return { text: `${user}@canario.example`, telling: [user] };
});

const day = fc
  .tuple(fc.integer({ min: 10, max: 28 }), fc.integer({ min: 10, max: 12 }), fc.integer({ min: 1930, max: 2005 }))
  .chain(([d, m, y]) =>
    fc.constantFrom(`${d}/${m}/${y}`, `${d}${m}${y}`, `${y}-${m}-${d}`, `${d}.${m}.${y}`, `${y}-${m}-${d}T00:00:00Z`),
  )
  .map((text): Canary => ({ text, telling: [text.slice(0, 10)] }));

const token = fc.stringMatching(/^[a-z]{3}\d[A-Za-z\d]{24}$/).map((text): Canary => ({ text, telling: [text] }));

/** A name, a number, an address, a date or a token of somebody. */
export const canaries: fc.Arbitrary<Canary> = fc.oneof(name, cpf, phone, street, email, day, token);

/** Names of members: of the contract, of nobody, in any letter case. */
export const keys: fc.Arbitrary<string> = fc.constantFrom(
  'code',
  'codigo',
  'status',
  'message',
  'mensagem',
  'xMotivo',
  'reason',
  'nfeMotivoStatus',
  'nfeId',
  'empresaId',
  'event_id',

  'nfeStatus',
  'validationStatus',
  'cStat',
  'appName',
  'echo',
  'serverTime',
  'verifiedAt',
  'nfeChaveAcesso',
  'nfeNumero',

  'nfeNumeroProtocolo',
  'nfeDigestValue',
  'linkDanfe',
  'nfeLinkXml',
  'version',
  'event_type',
  'tipo',
  'error',
  'detail',
  'path',
  'nome',
  'situacao',
  'xyz',
  'Nome',
  'qsa',
  'numero',
  'dados',
  'x',
  'MESSAGE',
  'logradouro',
  'data',
);
