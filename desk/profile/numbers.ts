import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Exchange } from '../../trace/exchange.ts';
import { cnpj, cpf, nascimento } from '../../generators/domain.ts';
import type { Consultas, RegistryNumbers, Profile } from '../../targets/profile.ts';
import { said, lookUp } from '../../runner/preflight/profile-tries.ts';
import {
  jsonBytes,
  remedyFor,
  foundBy,
  judged,
  mostDraws,
  type FoundPart,
  type Gathered,
  type Lacking,
  type Search,
} from './search.ts';

/** Numbers that may be known or unknown, and where they came from. */
interface Numbers {
  readonly from: string;
  readonly numbers: RegistryNumbers;
  /** Drawn at random: where the registry knows them, they are somebody's. */
  readonly isDrawn: boolean;
}

/** A lookup of such numbers. */
interface LookedUp extends Numbers {
  readonly exchange: Exchange;
}

type Role = 'known' | 'unknown';

/** What a registry was found to know and not to know, and what was last said of either. */
interface Registry {
  readonly found: Partial<Record<Role, LookedUp>>;
  readonly words: Record<Role, string>;
}

const file = 'consultas.json';

/**
 * Finds a company and a person that the registries know, and others that they don't: unknown ones are drawn with right check
 * digits, anew until one is unknown. Endpoints 10 and 11.
 */
export async function findNumbers(search: Search): Promise<Gathered> {
  const candidates = { known: numbersIn(search.sources, 'known'), unknown: unknownNumbers(search.sources) };
  const companies = await askRegistry(search, 'cnpj-lookup', candidates);
  const people = await askRegistry(search, 'cpf-lookup', candidates);
  const found = [...foundIn('cnpj', companies), ...foundIn('cpf', people)];
  return {
    files: new Map(found.length === 0 ? [] : [[file, bytesOf(search.sources, candidates, companies, people)]]),
    found,
    lacking: [...lackingIn('cnpj', companies), ...lackingIn('cpf', people)],
  };
}

type Candidates = Readonly<Record<Role, readonly Numbers[]>>;

function numbersIn(sources: readonly Profile[], role: Role): Numbers[] {
  return sources.flatMap(({ folder, consultas }) => {
    if (!consultas) return [];
    const from = `${join(folder, file)}${role === 'unknown' ? ' unknown' : ''}`;
    return [{ from, numbers: role === 'unknown' ? consultas.unknown : consultas, isDrawn: false }];
  });
}

function unknownNumbers(sources: readonly Profile[]): Numbers[] {
  const drawn = fc.sample(fc.record({ cnpj: cnpj(), cpf: cpf(), nascimento: nascimento() }), mostDraws);
  return [
    ...numbersIn(sources, 'unknown'),
    ...drawn.map((numbers) => ({ from: 'a number that was drawn', numbers, isDrawn: true })),
  ];
}

/** Looks numbers up until one is known and one is not. What is to be unknown and is known will do for a known one. */
async function askRegistry(
  { acting, tell }: Search,
  endpoint: 'cnpj-lookup' | 'cpf-lookup',
  candidates: Candidates,
): Promise<Registry> {
  const noun = endpoint === 'cnpj-lookup' ? 'CNPJ' : 'CPF';
  const found: Partial<Record<Role, LookedUp>> = {};
  const words = { known: 'there was none to try', unknown: 'there was none to try' };
  for (const role of ['known', 'unknown'] as const) {
    for (const candidate of candidates[role]) {
      if (found[role]) break;
      const exchange = await lookUp(acting.send, endpoint, candidate.numbers);
      const answer = judged(exchange);
      const is: Role | undefined = answer === 'broken' ? undefined : answer === 'accepted' ? 'known' : 'unknown';
      if (is === role || (is === 'known' && !candidate.isDrawn)) found[is] ??= { ...candidate, exchange };
      words[role] = `${candidate.from}: ${verdictOf(noun, is, exchange)}`;
      tell(file, is === role ? 'ok' : 'warning', words[role]);
    }
  }
  return { found, words };
}

/** What a registry tells of somebody is not repeated. */
function verdictOf(noun: string, is: Role | undefined, exchange: Exchange): string {
  if (is === 'known') return `this ${noun} is known`;
  return `${is === 'unknown' ? `this ${noun} is not known` : `nothing is told of this ${noun}`}: ${said(exchange)}`;
}

const partOf = (role: Role, name: 'cnpj' | 'cpf'): string => (role === 'known' ? name : `unknown.${name}`);

function foundIn(name: 'cnpj' | 'cpf', { found }: Registry): FoundPart[] {
  return (['known', 'unknown'] as const).flatMap((role) => {
    const looked = found[role];
    const proved = role === 'known' ? 'is known' : 'is not known';
    return looked
      ? [
          foundBy(looked.exchange, {
            file,
            part: partOf(role, name),
            from: looked.from,
            proved,
            needs: [`${role}-${name}`],
          }),
        ]
      : [];
  });
}

function lackingIn(name: 'cnpj' | 'cpf', { found, words }: Registry): Lacking[] {
  return (['known', 'unknown'] as const)
    .filter((role) => !found[role])
    .map((role) => {
      const part = partOf(role, name);
      return { file, part, why: words[role], todo: remedyFor(file, part) };
    });
}

/** The file with what was found; a part of it that was not holds what was tried first, and is told as lacking. */
function bytesOf(sources: readonly Profile[], candidates: Candidates, companies: Registry, people: Registry): Buffer {
  const numbersFor = (role: Role): RegistryNumbers => {
    const [company, person] = [companies, people].map(
      ({ found }) => (found[role] ?? candidates[role][0] ?? candidates.unknown.at(-1))?.numbers,
    );
    return { cnpj: company?.cnpj ?? '', cpf: person?.cpf ?? '', nascimento: person?.nascimento ?? '' };
  };
  const content: Consultas = { ...numbersFor('known'), unknown: numbersFor('unknown') };
  const same = sources.find(({ consultas }) => isDeepStrictEqual(consultas, content));
  return same?.bytes(file) ?? jsonBytes(content);
}
