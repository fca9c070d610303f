import fc from 'fast-check';
import type { Exchange } from '../trace/exchange.ts';
import { chaveIn, codes, languageHeaders, languages } from '../contract/values.ts';
import { fillPath, retiredEndpoints, scopeOf, type EndpointName } from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import {
  echoCall,
  jsonPost,
  probeCall,
  xmlCall,
  anyRetiredLookup,
  nineRetiredCalls,
  oddRetiredLookups,
  retiredCallsInForms,
  type RetiredCall,
} from '../generators/calls.ts';
import { issuanceCall } from '../generators/issuance.ts';
import { freshId } from '../generators/nfe-ids.ts';
import { anyProbe, plainProbes } from '../generators/probes.ts';
import { authenticationFlaw, plainFlaws, flawedRetired } from '../generators/flaws.ts';
import { mayLeaveNew } from '../targets/traffic/interlock.ts';
import type { Condition } from '../targets/needs-met.ts';
import { check, property } from './kit/check.ts';
import { premise } from './kit/deviation.ts';
import { LeftOut, NotExercised } from '../targets/not-exercised.ts';
import { callerWith, untilLimited } from './kit/lattice.ts';
import { bodyOf, issueSettled, issuerOf } from './kit/life-cycle.ts';
import { inLanguage, textsOf } from './kit/texts.ts';
import { signedFor } from './kit/recipes.ts';
import { refusalText, summary } from './kit/reply.ts';
import { mightLeave } from './kit/sending.ts';
import type { Trial } from './kit/trial.ts';
import { limitFault } from '../generators/faults.ts';

const pool = 'retired paths';

const lookups: readonly EndpointName[] = ['cnpj-lookup', 'cpf-lookup'];

const stillServed = 'the endpoint is still there for what it knows';

/** Of both methods, whether all of them are asked or half. */
const everyOtherFirst = [0, 1].flatMap((odd) => nineRetiredCalls.filter((_, at) => at % 2 === odd));

const anyOfTheNine = fc.constantFrom(...nineRetiredCalls);

property(
  'retirement.gone',
  'each of the nine retired paths gets 410 with 10009034',
  fc.constantFrom(...retiredCallsInForms),
  async (t, { call }) => {
    await t.refusesAlone(await t.caller(), call, codes.retired, 'the endpoint is still there, or gone without its 410');
  },
  { examples: retiredCallsInForms, mostPolitely: 2 * nineRetiredCalls.length + 2, pool },
);

property(
  'retirement.any-variables',
  'a retired lookup gets 410 whatever numbers are looked up',
  anyRetiredLookup(),
  async (t, { call }) => {
    await t.refusesAlone(await t.caller(), call, codes.retired, 'the path is only known with certain numbers');
  },
  { examples: oddRetiredLookups, mostPolitely: 5 },
);

property(
  'retirement.no-grace-period',
  'the very first requests of an application to a retired path get 410',
  anyOfTheNine,
  async (t, { call }) => {
    // Where all checks call as one application, its first requests were made long ago.
    const isFresh = t.target.address.control !== undefined;
    const caller = isFresh ? await t.target.caller() : await t.caller();
    for (let request = 0; request < (isFresh ? 3 : 1); request++) await t.refusesAlone(caller, call, codes.retired);
  },
  { examples: everyOtherFirst, mostPolitely: 5, pool },
);

property(
  'retirement.not-implemented-code-gone',
  'no retired path answers with code 10009011',
  anyOfTheNine,
  async (t, { call }) => {
    await t.send(await t.caller(), call);
  },
  { examples: nineRetiredCalls, mostPolitely: nineRetiredCalls.length, pool },
);

property(
  'retirement.replacement-named',
  'the message of a 410 names the replacement',
  anyOfTheNine,
  async (t, { call }) => {
    await t.send(await t.caller(), call);
  },
  { examples: nineRetiredCalls, mostPolitely: nineRetiredCalls.length, pool },
);

/** Each path in another form, and in a language: what others ask for, too. */
const inForms = retiredCallsInForms.slice(nineRetiredCalls.length);
const inEnglish = [
  ...nineRetiredCalls.slice(0, 1).map(({ call }) => inLanguage(call, 'Language', 'en')),
  ...inForms.map(({ call }) => call).filter(({ headers = [] }) => headers.some(([, value]) => value === 'en')),
  ...nineRetiredCalls.slice(1).map(({ call }) => inLanguage(call, 'Language', 'en')),
];

property(
  'retirement.english-text',
  'the English message of a 410 is the one that the contract fixes',
  fc.constantFrom(...inEnglish),
  async (t, call) => void (await t.send(await t.caller(), call)),
  { examples: inEnglish, mostPolitely: 3, pool },
);

/** Each path in each language by either header. */
const everyLanguage: readonly Call[] = nineRetiredCalls.flatMap(({ call }) =>
  languages.flatMap((language) => languageHeaders.map((header) => inLanguage(call, header, language))),
);
const inLanguages = [...inForms.slice(0, nineRetiredCalls.length).map(({ call }) => call), ...everyLanguage];

property(
  'retirement.replacement-in-every-language',
  'the message of a 410 names the replacement in zh, en, pt and es',
  fc.constantFrom(...inLanguages),
  async (t, call) => void (await t.send(await t.caller(), call)),
  { examples: inLanguages, mostPolitely: nineRetiredCalls.length, pool },
);

property(
  'retirement.message-language',
  'the four texts of a 410 differ from one another',
  anyOfTheNine,
  async (t, { call }) => {
    const caller = await t.caller();
    const { words, shown } = await textsOf(t, async () => {
      const answers: Exchange[] = [];
      for (const language of languages) answers.push(await t.send(caller, inLanguage(call, 'Language', language)));
      for (const answer of answers)
        t.presumes(answer.response?.status === 410, { expected: refusalText(codes.retired), actual: summary(answer) });
      return answers;
    });
    t.holds(new Set(words.split('\n')).size === languages.length, {
      expected: `four different texts, in ${languages.join(', ')}`,
      actual: shown,
    });
  },
  { examples: nineRetiredCalls.slice(0, 1), mostPolitely: 1, pool },
);

/** A correct request to a retired path gets its 410, for a check to build on. */
async function isGone(t: Trial, call: Call): Promise<void> {
  await premise(async () => t.isRefusedWith(await t.send(await t.caller(), call), codes.retired));
}

/** Each flaw on each of the nine, and the last one that is looked for on each in every form. */
const flawedInForms = [
  ...flawedRetired,
  ...retiredCallsInForms.slice(nineRetiredCalls.length).flatMap((chosen) => {
    const flaw = plainFlaws.at(-1);
    return flaw ? [{ chosen, flaw }] : [];
  }),
];

property(
  'retirement.after-authentication',
  'a request to a retired path with an authentication fault gets its 401',
  fc.record({ chosen: fc.constantFrom(...retiredCallsInForms), flaw: authenticationFlaw() }),
  async (t, { chosen: { call }, flaw }) => {
    const caller = await t.caller();
    const hint = 'retirement is answered before authentication';
    const { headers: _, ...plain } = call;
    try {
      await isGone(t, plain);
    } finally {
      // Who reads a body before its signature refuses the right request, too: that excuses nothing.
      await t.refusesAlone(caller, call, flaw.refusal, hint, flaw.apply);
    }
  },
  { examples: flawedInForms, mostPolitely: 2 * nineRetiredCalls.length, pool: 'refusals' },
);

const [gone, goneLookups] = [nineRetiredCalls.slice(0, 7), nineRetiredCalls.slice(7)];

/** The nine; where manners are asked for, two of them and a lookup, in turn: each path meets several conditions. */
function someOfTheNine({ target }: Trial, nth: number): readonly RetiredCall[] {
  if (target.address.maxRps === 0) return nineRetiredCalls;
  const [first, lookup] = [nth % gone.length, nth % goneLookups.length];
  const second = (first + 3) % gone.length;
  return [...gone.filter((_, at) => at === first || at === second), ...goneLookups.slice(lookup, lookup + 1)];
}

/** On every retired path, an application in that condition gets the 410 that an active one gets. */
async function goneFor(t: Trial, condition: Condition, { call }: RetiredCall): Promise<void> {
  await isGone(t, call);
  const hint = 'the application is judged before retirement';
  await t.refusesAlone(await t.callerIn(condition), call, codes.retired, hint);
}

for (const [nth, [clause, condition, who]] of (
  [
    ['retirement.before-subscription', 'unsubscribed-application', 'an application without subscription'],
    ['retirement.before-disabled-application', 'disabled-application', 'a disabled application'],
    ['retirement.before-pending-application', 'pending-application', 'an application that awaits approval'],
    ['retirement.before-rejected-application', 'rejected-application', 'a rejected application'],
    [
      'retirement.before-disabled-integrator',
      'application-of-disabled-integrator',
      'an application of a disabled integrator',
    ],
  ] as const
).entries()) {
  check(
    clause,
    `${who} gets 410 on each of the nine retired paths`,
    async (t) => {
      await t.each(someOfTheNine(t, nth), (chosen) => goneFor(t, condition, chosen));
    },
    { pool },
  );
}

/** The paths that an endpoint took the place of, with their variables filled in. Section 4.3. */
function formerPaths(name: EndpointName, values: Readonly<Record<string, string>> = {}): readonly string[] {
  return retiredEndpoints.filter(({ replacement }) => replacement === name).map(({ path }) => fillPath(path, values));
}

/** The former verifications and lookups of what the profile has: XML was sent as it is now. Sections 4.1, endpoint 8, and 9. */
function formerly({ target: { profile, address } }: Trial): readonly Call[] {
  const document = profile.bytes('verificacao.autorizada.xml')?.toString('utf8') ?? '';
  const chave = chaveIn(document);
  const { cnpj, cpf, nascimento } = profile.consultas ?? {};
  return [
    ...formerPaths('nfe-verification').flatMap((path) =>
      document === '' ? [] : { ...xmlCall(document, address.xmlContentType), path },
    ),
    ...formerPaths('chave-lookup').flatMap((path) =>
      chave === undefined ? [] : jsonPost(path, { chave, chaveAcesso: chave }),
    ),
    ...lookups.flatMap((name) =>
      cnpj === undefined || cpf === undefined || nascimento === undefined
        ? []
        : formerPaths(name, { cnpj, cpf, nascimento }).map((path) => ({ method: 'GET', path })),
    ),
  ];
}

check('retirement.gone', 'a retired path gets 410 for what the profile has a document or a number of', async (t) => {
  const calls = formerly(t);
  if (calls.length === 0) throw new NotExercised('the profile has no verificacao.autorizada.xml', 'settings');
  const caller = await t.caller();
  await t.each(calls, async (call) => void (await t.refusesAlone(caller, call, codes.retired, stillServed)));
});

check(
  'retirement.gone',
  'a retired path gets 410 for a company and an invoice that are there',
  async (t) => {
    const issuer = await issuerOf(t);
    const { nfeId } = await issueSettled(t, issuer);
    const { caller, empresaId } = issuer;
    const body = { ...bodyOf(t, 'nf-e.autorizada.json'), empresaId };
    const issuance = issuanceCall(empresaId, body, { id: freshId(), ambienteEmissao: 'Homologacao' });
    // What the bodies of the others were called is not shown. Where the cancellation lives on, the invoice is gone after it.
    const ofInvoice = [...formerPaths('nfe-query'), ...formerPaths('nfe-cancellation')];
    const calls = [
      ...formerPaths('nfe-issuance').map((path) => ({ ...issuance, path })),
      ...ofInvoice.map((path) => jsonPost(path, { empresaId, nfeId, id: nfeId })),
    ];
    await t.each(calls, async (call) => void (await t.refusesAlone(caller, call, codes.retired, stillServed)));
  },
  { needs: ['chosen-application', 'empresa', 'authorised-issuance'] },
);

check(
  'retirement.gone',
  'an application that is subscribed to the retired paths gets 410 on them',
  async (t) => {
    const scopes = retiredEndpoints.map(scopeOf);
    const caller = await t.callerLike({ subscriptions: scopes });
    // Where manners are asked for, one by POST and one by GET.
    const isPaced = t.target.address.maxRps > 0;
    const some = isPaced ? [...nineRetiredCalls.slice(0, 1), ...nineRetiredCalls.slice(-1)] : nineRetiredCalls;
    await t.each(some, async ({ call }) => {
      await t.refusesAlone(caller, call, codes.retired, 'who is subscribed to it is still served');
    });
  },
  { needs: ['chosen-application'] },
);

check(
  'retirement.spends-no-rate-token',
  'an application with a limit of 3 still gets its 3 requests after many 410s',
  async (t) => {
    const caller = await t.target.clockedCaller({ rateLimit: { limit: 3, windowSeconds: 60 } });
    await caller.advance(120);
    await t.each(nineRetiredCalls, async ({ call }) => {
      t.isRefusedWith(await t.sendUnderLimit(caller, call), codes.retired);
    });
    for (let request = 0; request < 3; request++) {
      const exchange = await t.sendUnderLimit(caller, echoCall('within the limit'));
      const status = exchange.response?.status;
      t.holds(status === 200, { expected: '200', actual: String(status), hint: 'a 410 spends a rate-limit token' });
    }
  },
  { needs: ['movable-clock'] },
);

check('retirement.not-rate-limited', 'an application whose limit is spent gets 410 on each retired path', async (t) => {
  const caller = await callerWith(t, [limitFault]);
  await premise(async () => t.isRefusedWith(await untilLimited(t, caller), codes.rateLimited));
  await t.each(someOfTheNine(t, 5), async ({ call }) => {
    t.isRefusedWith(await t.sendUnderLimit(caller, call), codes.retired, 'the rate limit is asked before retirement');
  });
});

property(
  'retirement.lookups-signed-anew',
  'a registry lookup signed with its retired path gets 401 with 10009003',
  fc.constantFrom(...lookups),
  async (t, name) => {
    const call = probeCall(name, t.target.address.xmlContentType);
    const old = { ...call, path: call.path.replace('v3/consultas', 'cadastro') };
    await t.refuses(
      await t.caller(),
      call,
      codes.signMismatch,
      signedFor(old),
      'the retired path is still what is signed',
    );
  },
  { examples: lookups, mostPolitely: lookups.length, pool: 'refusals' },
);

property(
  'retirement.standard-endpoints-live',
  'no standard endpoint answers 410',
  anyProbe(),
  async (t, { callAs }) => {
    const call = callAs(t.target.address.xmlContentType);
    if (mayLeaveNew(t.target.address, call)) throw new LeftOut(mightLeave(call));
    const exchange = await t.send(await t.caller(), call);
    const status = exchange.response?.status;
    t.holds(status !== 410 && status !== undefined, { expected: 'any status but 410', actual: String(status) });
  },
  { examples: plainProbes, mostPolitely: plainProbes.length, pool: 'probes' },
);
