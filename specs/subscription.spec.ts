import fc from 'fast-check';
import { codes } from '../contract/values.ts';
import { endpoint, endpoints, scopeOf, type EndpointName } from '../contract/endpoints.ts';
import { probeCall, queryCall } from '../generators/calls.ts';
import { anyProbe, inTellingLanguages, plainProbes, variedProbes } from '../generators/probes.ts';
import { pathSegment } from '../generators/text.ts';
import { wishedLanguages, wishing } from '../generators/wished-language.ts';
import { check, property } from './kit/check.ts';
import { isAccepted, summary } from './kit/reply.ts';
import { oncePerTrial } from './kit/trial.ts';

const scopeOfNamed = (name: EndpointName): string => scopeOf(endpoint(name));
const allScopes = [...new Set(endpoints.map(scopeOf))];

/** All scopes but the endpoint's own; the chave lookup's also fits the XML path, so it is left out with that one. */
function withoutScopeOf(name: EndpointName): string[] {
  const missing =
    name === 'nfe-verification' ? [scopeOfNamed(name), scopeOfNamed('chave-lookup')] : [scopeOfNamed(name)];
  return allScopes.filter((scope) => !missing.includes(scope));
}

property(
  'subscription.missing-refused',
  'an application without subscription gets 403 with 10009005 on every endpoint',
  fc.record({ probe: anyProbe(), wish: fc.constantFrom(...wishedLanguages) }),
  async (t, { probe: { name, callAs }, wish }) => {
    const call = wishing(callAs(t.target.address.xmlContentType), wish);
    const caller = await t.callerIn('unsubscribed-application');
    await t.refusesCaller(caller, call, codes.notSubscribed, `${name} needs no subscription`);
  },
  {
    examples: inTellingLanguages,
    mostPolitely: inTellingLanguages.length,
    pool: 'probes',
  },
);

property(
  'subscription.own-scope-missing',
  'an endpoint whose own scope alone is missing gets 403 with 10009005',
  anyProbe(),
  async (t, { name, callAs }) => {
    const call = callAs(t.target.address.xmlContentType);
    const caller = await t.callerLike({ subscriptions: withoutScopeOf(name) });
    await t.refusesCaller(caller, call, codes.notSubscribed, `another scope grants ${name}, or it needs none`);
  },
  { examples: variedProbes, mostPolitely: variedProbes.length, pool: 'probes' },
);

property(
  'subscription.own-scope-grants',
  'an endpoint is granted by its own scope alone',
  anyProbe(),
  async (t, { name, callAs }) => {
    const caller = await t.callerLike({ subscriptions: [scopeOfNamed(name)] });
    await t.accepts(caller, callAs(t.target.address.xmlContentType));
  },
  { examples: plainProbes, mostPolitely: plainProbes.length, pool: 'probes' },
);

check(
  'subscription.own-scope-grants',
  'an application with all scopes by name is granted each endpoint',
  async (t) => {
    const caller = await t.callerLike({ subscriptions: allScopes });
    await t.each(
      t.target.address.maxRps > 0 ? t.drawn(plainProbes, 4) : plainProbes,
      async ({ callAs }) => void (await t.accepts(caller, callAs(t.target.address.xmlContentType))),
    );
  },
  { needs: ['chosen-application'] },
);

property(
  'subscription.any-segment',
  'a `{xx}` segment matches path variables of every legal form',
  fc.record({ empresaId: pathSegment(), nfeId: pathSegment(), query: fc.constantFrom('', '?pagina=1') }),
  async (t, { empresaId, nfeId, query }) => {
    const caller = await t.callerLike({ subscriptions: [scopeOfNamed('nfe-query')] });
    const call = queryCall(empresaId, nfeId);
    await t.accepts(caller, query === '' ? call : { ...call, query: query.slice(1) });
  },
  {
    examples: [
      { empresaId: 'Abc-1', nfeId: 'x.Y_z~0', query: '' },
      { empresaId: '0', nfeId: 'x'.repeat(100), query: '?pagina=1' },
    ],
    mostPolitely: 4,
    needs: ['chosen-application'],
  },
);

/** Sends a query of plain words: whose application may make that one may make any. */
const mayQuery = oncePerTrial(async (t) => void (await t.accepts(await t.caller(), queryCall('x', 'y'))));

const oddSegments = ['A_b.c', '~', '-', '0', 'v2', 'nf-e', 'xml', 'x'.repeat(100)];

property(
  'subscription.any-segment',
  'an application that may call everything may do so with path variables of every legal form',
  fc.record({ empresaId: pathSegment(), nfeId: pathSegment() }),
  async (t, { empresaId, nfeId }) => {
    await mayQuery(t);
    const exchange = await t.send(await t.caller(), queryCall(empresaId, nfeId));
    t.holds(isAccepted(exchange), { expected: 'accepted, as a query of plain words is', actual: summary(exchange) });
  },
  {
    examples: oddSegments.flatMap((odd) => [
      { empresaId: odd, nfeId: 'x' },
      { empresaId: 'x', nfeId: odd },
    ]),
    mostPolitely: 3,
  },
);

const neighbours: readonly { granted: EndpointName; refused: EndpointName }[] = [
  { granted: 'empresa-registration', refused: 'nfe-issuance' },
  { granted: 'empresa-registration', refused: 'nfe-query' },
  { granted: 'nfe-issuance', refused: 'nfe-query' },
  { granted: 'nfe-issuance', refused: 'empresa-registration' },
  { granted: 'nfe-query', refused: 'nfe-issuance' },
  { granted: 'cnpj-lookup', refused: 'cpf-lookup' },
];

property(
  'subscription.whole-path',
  'the scope of a shorter or longer path does not grant an endpoint',
  fc.constantFrom(...neighbours),
  async (t, { granted, refused }) => {
    const caller = await t.callerLike({ subscriptions: [scopeOfNamed(granted)] });
    const { xmlContentType } = t.target.address;
    await t.accepts(caller, probeCall(granted, xmlContentType));
    const hint = `the scope of ${granted} grants ${refused} as well`;
    await t.refusesCaller(caller, probeCall(refused, xmlContentType), codes.notSubscribed, hint);
  },
  { examples: neighbours, mostPolitely: neighbours.length, pool: 'probes' },
);

check('subscription.whole-path', 'a `{xx}` segment matches one segment and not several', async (t) => {
  const caller = await t.callerLike({ subscriptions: [scopeOfNamed('nfe-issuance')] });
  // By any number of segments the scope of issuance would grant this query as well.
  const call = queryCall('conformance-probe', 'nf-e');
  await t.refusesCaller(caller, call, codes.notSubscribed, 'a `{xx}` segment matches several');
});

check(
  'subscription.cancellation-shares-query',
  'the query scope alone grants cancellation, and nothing else does',
  async (t) => {
    const cancellation = probeCall('nfe-cancellation', t.target.address.xmlContentType);
    await t.accepts(await t.callerLike({ subscriptions: [scopeOfNamed('nfe-query')] }), cancellation);
    const others = allScopes.filter((scope) => scope !== scopeOfNamed('nfe-query'));
    await t.refusesCaller(await t.callerLike({ subscriptions: others }), cancellation, codes.notSubscribed);
  },
  { pool: 'probes' },
);
