import type { Context } from '../simulator/gateway/stages.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { refuse } from '../simulator/rules/envelope.ts';
import type { TokenRules } from '../simulator/rules/token.ts';
import {
  also,
  beyondAsciiAs500,
  endpointMutant,
  ruleMutants,
  stageMutant,
  type Mutant,
  mutant,
  withMembers,
} from './mutant.ts';
import { referenceRules } from '../simulator/rules/rules.ts';

const ruled = ruleMutants('token', 'token');

const everyRefusal = [
  'token.unknown-refused',
  'token.verbatim',
  'token.app-key-refused',
  'token.rotated-refused',
] as const;

/** Finds the application one of whose secrets is like the token. */
function findWhere(isLike: (secret: string, token: string) => boolean): TokenRules['find'] {
  return (applications, token) =>
    applications.list().find(({ appKey }) => applications.secretsOf(appKey).some((secret) => isLike(secret, token)));
}

/** The first rotation of a secret makes the old one invalid, and no later one does. */
function firstRotationOnly(): Mutant {
  const { token } = referenceRules;
  const rotated = new Set<string>();
  return mutant('token.old-one-kept-by-a-second-rotation', ['token.rotated-refused'], 'token', {
    secretsAfterRotation(old, secret) {
      const isSecond = old.some((one) => rotated.has(one));
      rotated.add(secret);
      return isSecond ? [secret, ...old] : token.secretsAfterRotation(old, secret);
    },
  });
}

/** Takes a sign that was computed with any secret that the application has called with, the one of its token or not. */
function formerSecretsSign(): Mutant {
  const used = new Map<string, Set<string>>();
  const breaks = ['token.rotated-refused'] as const;
  return stageMutant('token.old-one-signs', breaks, 'signature', async (request, context, original) => {
    const { application, sent } = context;
    const tokens = used.get(application?.appKey ?? '') ?? new Set<string>();
    used.set(application?.appKey ?? '', tokens.add(sent.token));
    for (const token of tokens) {
      if (!(await original.answer(request, { ...context, sent: { ...sent, token } }))) return undefined;
    }
    return original.answer(request, context);
  });
}

/** Where some requests go, a token that is nearly an application's finds it, so that only the sign is wrong. */
function foundBy(what: string, breaks: Mutant['breaks'], finds: (request: RequestFacts, context: Context) => boolean) {
  return stageMutant(`token.${what}`, breaks, 'token', (request, context, original) =>
    context.application === undefined && finds(request, context)
      ? refuse('signMismatch', request, context.rules)
      : original.answer(request, context),
  );
}

/** Whether the token is a secret in other letter case. */
function isInOtherCase({ state: { applications }, sent }: Context): boolean {
  const token = sent.token.toLowerCase();
  return applications
    .list()
    .some(({ appKey }) => applications.secretsOf(appKey).some((secret) => secret.toLowerCase() === token));
}

/** Whether the token is a secret without its last characters. */
function isCutShort({ state: { applications }, sent: { token } }: Context): boolean {
  if (token.length < 9) return false;
  const secrets = applications.list().flatMap(({ appKey }) => applications.secretsOf(appKey));
  return secrets.some((secret) => secret.startsWith(token));
}

/** Every delivery has a header more, for its receiver to know whose it is: the App Secret. */
function returnedInDeliveries(): Mutant {
  const secrets = new Map<string, string>();
  const { key } = referenceRules.webhookSignature;
  const { request } = referenceRules.webhookDelivery;
  const signing = mutant('token.returned-in-deliveries', ['token.secret-not-returned'], 'webhookSignature', {
    key(known, outgoing) {
      secrets.set(outgoing.appKey, known.at(-1) ?? '');
      return key(known, outgoing);
    },
  });
  return also(signing, 'webhookDelivery', {
    request(right, outgoing) {
      const { headers, ...rest } = request(right, outgoing);
      return { ...rest, headers: { ...headers, 'x-service-key': secrets.get(outgoing.appKey) ?? '' } };
    },
  });
}

/** Wrong ways to find out whose token it is. */
export const tokenMutants: readonly Mutant[] = [
  ruled('app-key-demanded', ['token.app-secret-accepted'], {
    find: (applications, token) => applications.findByKey(token),
  }),
  ruled('app-key-taken', ['token.app-key-refused'], {
    find: (applications, token) => applications.findBySecret(token) ?? applications.findByKey(token),
  }),
  ruled('anybody', ['token.unknown-refused', 'token.verbatim', 'token.rotated-refused'], {
    find: (applications, token) => applications.findBySecret(token) ?? applications.list()[0],
  }),
  ruled('last-character-ignored', ['token.verbatim'], {
    find: findWhere((secret, token) => secret.slice(0, -1) === token.slice(0, secret.length - 1)),
  }),
  ruled('matched-as-a-pattern', ['token.verbatim'], {
    find: findWhere((secret, token) => new RegExp(`^${RegExp.escape(token).replaceAll('_', '.')}$`).test(secret)),
  }),
  ruled('unescaped', ['token.verbatim'], {
    find: findWhere(
      (secret, token) =>
        secret === token.replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    ),
  }),
  ruled('first-of-a-list', ['token.verbatim'], {
    find: findWhere((secret, token) => secret === token.split(',', 1)[0]),
  }),
  ruled('compared-without-case', ['token.verbatim'], {
    find: findWhere((secret, token) => secret.toLowerCase() === token.toLowerCase()),
  }),
  ruled('last-letter-in-any-case', ['token.verbatim'], {
    find: findWhere((secret, token) => {
      const at = secret.search(/[a-z][^a-z]*$/i);
      return secret.slice(0, at) === token.slice(0, at) && secret.toLowerCase() === token.toLowerCase();
    }),
  }),
  formerSecretsSign(),
  ruled('old-secret-kept', ['token.rotated-refused'], {
    secretsAfterRotation: (oldSecrets, fresh) => [...oldSecrets, fresh],
  }),
  ruled('revived-by-second-rotation', ['token.rotated-refused'], {
    secretsAfterRotation: (oldSecrets, fresh) => [...oldSecrets, fresh],
    find: (applications, token) =>
      applications.list().find(({ appKey }) => {
        const secrets = applications.secretsOf(appKey);
        return secrets.includes(token) && secrets.at(-2) !== token;
      }),
  }),
  ruled('rotation-without-effect', ['token.rotated-refused', 'token.new-secret-accepted'], {
    secretsAfterRotation: (oldSecrets) => oldSecrets,
  }),
  ruled('code-of-headers', everyRefusal, { code: 'headersMissing' }),
  ruled('code-of-timestamp', everyRefusal, { code: 'timestampInvalid' }),
  ruled('code-of-sign', everyRefusal, { code: 'signMismatch' }),
  returned('token.returned-in-message', (token) => token),
  returned('token.returned-in-escapes', (token) =>
    token.replaceAll(/[\s\S]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`),
  ),
  returned('token.returned-in-base64', (token) => Buffer.from(`user:${token}`).toString('base64')),
  returned('token.returned-in-hexadecimal', (token) => Buffer.from(token).toString('hex').toUpperCase()),
  returned('token.returned-in-numbers', (token) => JSON.stringify([...Buffer.from(token)])),
  returnedInDeliveries(),
  returned('token.returned-in-part', (token) => `${token.slice(0, 8)}…`),
  endpointMutant(
    'token.returned-of-what-cannot-be-read',
    ['token.secret-not-returned'],
    'echo',
    async (request, context, answer) => {
      const reply = await answer(request, context);
      return reply.status === 400 ? withMembers(reply, { request: context.sent }) : reply;
    },
  ),
  stageMutant('token.words-of-javascript-crash', ['token.unknown-refused'], 'token', (request, context, original) =>
    context.sent.token in {} ? { status: 500, body: 'TypeError' } : original.answer(request, context),
  ),
  beyondAsciiAs500('token', 'token.unknown-refused'),
  firstRotationOnly(),
  foundBy(
    'case-of-lookups-ignored',
    ['token.verbatim'],
    ({ method }, context) => method === 'GET' && isInOtherCase(context),
  ),
  foundBy(
    'bearer-of-lookups-taken-off',
    ['token.verbatim'],
    ({ path }, { sent }) => path.startsWith('/openapi/v3/consultas/nf-e/') && sent.token.startsWith('Bearer '),
  ),
  foundBy(
    'cut-short-at-retired-paths',
    ['token.verbatim'],
    ({ path }, context) => /^\/openapi\/(?:nfe|cadastro)\//.test(path) && isCutShort(context),
  ),
  foundBy(
    'app-key-for-documents',
    ['token.app-key-refused'],
    ({ path }, { state: { applications }, sent }) =>
      path.endsWith('/nf-e/xml') && applications.findByKey(sent.token) !== undefined,
  ),
];

/** Says in its messages what token was sent, written in some way. */
function returned(name: string, write: (token: string) => string): Mutant {
  return stageMutant(name, ['token.secret-not-returned'], 'signature', async (request, context, original) => {
    if (!(await original.answer(request, context))) return undefined;
    const { rules, sent } = context;
    const envelope = { ...rules.envelope, message: (text: string) => `${text}: ${write(sent.token)}` };
    return refuse('signMismatch', request, { ...rules, envelope });
  });
}
