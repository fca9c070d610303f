import fc from 'fast-check';
import { dirname } from 'node:path/posix';
import { codes } from '../contract/values.ts';
import { endpoints, type EndpointName } from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import { echoCall, pathCall, probeCall, queryCall, plainCall, queriedCall, variableCall } from '../generators/calls.ts';
import { chave, cpf, nascimento } from '../generators/domain.ts';
import { pathSegment } from '../generators/text.ts';
import { wrongPlaceholders } from '../generators/wrong-recipes/body.ts';
import { mayLeaveNew } from '../targets/traffic/interlock.ts';
import { check, property } from './kit/check.ts';
import { refusesRecipes, signedFor } from './kit/recipes.ts';
import { summary } from './kit/reply.ts';
import type { Trial } from './kit/trial.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { withEmpresa } from './kit/life-cycle.ts';
import {
  wrongHosts,
  wrongPathForms,
  wrongPrefixes,
  wrongQueries,
  wrongVariables,
} from '../generators/wrong-recipes/path.ts';

const endpointNames: readonly EndpointName[] = endpoints.map(({ name }) => name);

/** The path template and the path without its last segment are signed at every place. */
const likeliestVariables = 2;

refusesRecipes(
  'signature.path-prefix-signed',
  'a sign over the path without its prefix is refused',
  wrongPrefixes,
  plainCall(),
);
refusesRecipes(
  'signature.path-variables-signed',
  'a sign over the path without its variables is refused',
  wrongVariables,
  variableCall(),
  likeliestVariables,
);
refusesRecipes('signature.path-as-sent', 'a sign over a rewritten path is refused', wrongPathForms, variableCall());
refusesRecipes('signature.query-not-signed', 'a sign over the query string is refused', wrongQueries, queriedCall());
refusesRecipes('signature.host-not-signed', 'a sign over the host is refused', wrongHosts, plainCall());

property(
  'signature.path-variables-signed',
  'path variables of every legal form are accepted as signed',
  fc.record({ empresaId: pathSegment(), nfeId: pathSegment() }),
  async (t, { empresaId, nfeId }) => {
    await t.accepts(await t.caller(), queryCall(empresaId, nfeId));
  },
  { mostPolitely: 3 },
);

property(
  'signature.path-bound',
  'a sign made for one path is refused on another',
  fc
    .record({ empresaId: pathSegment(), nfeId: pathSegment(), other: pathSegment() })
    .filter((ids) => ids.nfeId !== ids.other),
  async (t, { empresaId, nfeId, other }) => {
    const flaw = signedFor(queryCall(empresaId, other));
    const hint = 'the sign is not bound to the path';
    await t.refuses(await t.caller(), queryCall(empresaId, nfeId), codes.signMismatch, flaw, hint);
  },
  { mostPolitely: 2 },
);

check(
  'signature.path-bound',
  'a sign made for one company is refused at another, either way',
  async (t) => {
    const caller = await t.caller();
    const own = await withEmpresa(t, caller);
    const other = await withEmpresa(t, caller, 'other');
    if (own.empresaId === other.empresaId) throw new NotExercised('both companies have one id');
    await t.each([[own, other] as const, [other, own] as const], async ([asked, signed]) => {
      const flaw = signedFor(queryCall(signed.empresaId, 'x'));
      const hint = 'the sign is not bound to the company in the path';
      await t.refuses(caller, queryCall(asked.empresaId, 'x'), codes.signMismatch, flaw, hint);
    });
  },
  { needs: ['empresa', 'other-empresa'] },
);

/** A query that no filter before a service has a reason to mind. */
const harmlessQuery = 'ordem=id&filtro=&filtro=valor-2';

const longQuery = `${harmlessQuery}${'&filtro=valor'.repeat(20)}`;

property(
  'signature.query-not-signed',
  'any query string leaves the sign valid',
  queriedCall(),
  async (t, call) => {
    const { query: _query, ...unqueried } = call;
    await t.accepts(await t.caller(), call, signedFor(unqueried));
  },
  {
    mostPolitely: 2,
    examples: [
      { ...pathCall('nfe-cancellation', { empresaId: 'nobody', nfeId: 'none' }), query: longQuery },
      { ...pathCall('nfe-query', { empresaId: 'nobody', nfeId: 'none' }), query: '' },
      { ...echoCall('queried'), query: 'volta=/a/b?c=d' },
    ],
  },
);

/** A call that its endpoint answers in a way of its own: what is known where the profile tells of it. */
function ownAnswerTo(t: Trial, name: EndpointName): Call {
  const { consultas } = t.target.profile;
  if (consultas && name === 'cnpj-lookup') return pathCall(name, { cnpj: consultas.cnpj });
  if (consultas && name === 'cpf-lookup') {
    return pathCall(name, { cpf: consultas.cpf, nascimento: consultas.nascimento });
  }
  return probeCall(name, t.target.address.xmlContentType);
}

check(
  'signature.query-reaches-endpoint',
  'with a query each endpoint answers as it does without',
  async (t) => {
    const calls = endpointNames
      .map((name) => ownAnswerTo(t, name))
      .filter((call) => !mayLeaveNew(t.target.address, call));
    const caller = await t.caller();
    await t.each(calls, async (call) => {
      const withQuery = { ...call, query: harmlessQuery };
      const plain = summary(await t.send(caller, call));
      const queried = summary(await t.send(caller, withQuery));
      // Answers that differ from themselves, as where one of several faults is told or two nodes take turns, say nothing of the query.
      const again = async (one: Call): Promise<string> => summary(await t.sendUnderLimit(caller, one));
      const isOfQuery = queried !== plain && (await again(withQuery)) === queried && (await again(call)) === plain;
      t.holds(!isOfQuery, { expected: `${plain}, as without a query`, actual: queried });
    });
  },
  { pool: 'probes' },
);

property(
  'signature.chave-in-path',
  'a chave lookup signed with its chave is accepted, and refused for another chave',
  fc.record({ one: chave(), other: chave() }).filter(({ one, other }) => one !== other),
  async (t, { one, other }) => {
    const flaw = signedFor(pathCall('chave-lookup', { chave: other }));
    const hint = 'the chave is not signed';
    await t.refuses(await t.caller(), pathCall('chave-lookup', { chave: one }), codes.signMismatch, flaw, hint);
  },
  { mostPolitely: 2 },
);
refusesRecipes(
  'signature.chave-in-path',
  'a chave lookup signed with a placeholder for its body is refused',
  wrongPlaceholders,
  chave().map((value) => pathCall('chave-lookup', { chave: value })),
);

/** A lookup of numbers that belong to nobody, so that a request which passes discloses nothing. */
const nobody = { cpf: '00000000000', nascimento: '01011900' };
const lookupOfNobody = pathCall('cpf-lookup', nobody);

property(
  'signature.cpf-and-birth-date-signed',
  'a CPF lookup is refused when the CPF or the birth date differs from what was signed',
  fc.oneof(
    cpf().map((other) => pathCall('cpf-lookup', { ...nobody, cpf: other })),
    nascimento()
      .filter((other) => other !== nobody.nascimento)
      .map((other) => pathCall('cpf-lookup', { ...nobody, nascimento: other })),
  ),
  async (t, signed) => {
    const hint = 'not all of the path is signed';
    await t.refuses(await t.caller(), lookupOfNobody, codes.signMismatch, signedFor(signed), hint);
  },
  {
    examples: [
      { ...lookupOfNobody, path: dirname(lookupOfNobody.path) },
      pathCall('cpf-lookup', { ...nobody, cpf: '00000000191' }),
      pathCall('cpf-lookup', { ...nobody, nascimento: '02011900' }),
    ],
    mostPolitely: 2,
  },
);
