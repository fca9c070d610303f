import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../simulator/gateway/stages.ts';
import type { Reply } from '../simulator/http/reply.ts';
import type { RequestFacts } from '../simulator/http/request-facts.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { endpointMutant, idIn, mutant, type Mutant, stageMutant, withMembers } from './mutant.ts';

/** Waits between looking and writing: at 0 as long as others that came in the same moment take to look. */
function gap(holdMs: number): Promise<unknown> {
  return holdMs === 0 ? turn() : sleep(holdMs);
}

/** Whether an id is taken is looked up first, and the invoice kept so much later: what comes in between is answered so. */
function lookedUpBefore(what: string, holdMs: number, second: Reply): Mutant {
  const underWay = new Map<string, number>();
  return endpointMutant(
    `nfe-issuance.${what}`,
    ['nfe-issuance.id-unique-in-company'],
    'nfe-issuance',
    async (request, context, answer) => {
      const key = `${request.path} ${idIn(request)}`;
      const isRacing = (underWay.get(key) ?? 0) > 0;
      underWay.set(key, (underWay.get(key) ?? 0) + 1);
      await gap(holdMs);
      const reply = await answer(request, context);
      underWay.set(key, (underWay.get(key) ?? 0) - 1);
      return isRacing && JSON.stringify(reply.body ?? '').includes('REPETIDO') ? second : reply;
    },
  );
}

/** Of requests that are counted at the same time only one is. */
function lostCounts(holdMs: number): Mutant {
  const underWay = new Map<string, number>();
  return stageMutant(
    `rate-limit.counts-lost-within-${holdMs}-ms`,
    ['rate-limit.refused'],
    'rate-limit',
    async (request, context, original) => {
      const { token } = context.sent;
      const isRacing = (underWay.get(token) ?? 0) > 0;
      underWay.set(token, (underWay.get(token) ?? 0) + 1);
      await gap(holdMs);
      const reply = await original.answer(request, context);
      underWay.set(token, (underWay.get(token) ?? 0) - 1);
      return isRacing ? undefined : reply;
    },
  );
}

/** Of two invoices of an application that settle at once the second one is not called back. */
function calledBackOnce(): Mutant {
  const last = new Map<string, number>();
  return mutant(
    'issuance-callback.second-at-once-lost',
    ['issuance-callback.called-back-when-authorised', 'issuance-callback.called-back-when-denied'],
    'issuanceCallback',
    {
      isCalledBack({ appKey }) {
        const atMs = performance.now();
        const isLost = atMs - (last.get(appKey) ?? -Infinity) < 50;
        last.set(appKey, atMs);
        return !isLost;
      },
    },
  );
}

/** What was found of a request's sign is kept where the next one of its application overwrites it before it is read. */
function sharedFinding(holdMs: number): Mutant {
  const found = new Map<string, Reply | undefined>();
  return stageMutant(
    `signature.finding-shared-for-${holdMs}-ms`,
    ['signature.mismatch-refused'],
    'signature',
    async (request, context, original) => {
      found.set(context.sent.token, await original.answer(request, context));
      await gap(holdMs);
      return found.get(context.sent.token);
    },
  );
}

/** One digest for all requests: where two large bodies are hashed at the same time, neither comes out right. */
function sharedDigest(bytesInMs: number): Mutant {
  let underWay = 0;
  return stageMutant(
    'signature.digest-shared',
    ['signature.mismatch-refused'],
    'signature',
    async (request, context, original) => {
      const ms = Math.floor(request.rawBody.length / bytesInMs);
      if (ms === 0) return original.answer(request, context);
      underWay += 1;
      const wasAlone = underWay === 1;
      await sleep(ms);
      const isRight = wasAlone && underWay === 1;
      underWay -= 1;
      return original.answer(isRight ? request : { ...request, rawBody: Buffer.from('mixed') }, context);
    },
  );
}

/** A cache knows the old secret for a while after its rotation. */
function oldSecretAlive(forMs: number): Mutant {
  const old = new Map<string, { readonly fresh: string; readonly untilMs: number }>();
  const { token } = referenceRules;
  return mutant(`token.old-secret-alive-${forMs}-ms`, ['token.rotated-refused'], 'token', {
    secretsAfterRotation(before, fresh) {
      for (const secret of before) old.set(secret, { fresh, untilMs: performance.now() + forMs });
      return token.secretsAfterRotation(before, fresh);
    },
    find(applications, secret) {
      const cached = old.get(secret);
      return token.find(applications, cached && performance.now() < cached.untilMs ? cached.fresh : secret);
    },
  });
}

/** The language that was asked for is kept where the next request overwrites it before the message is made. */
function sharedLanguage(holdMs: number): Mutant {
  let wish: RequestFacts['headers'] = {};
  return stageMutant(
    `language.shared-for-${holdMs}-ms`,
    ['language.language-header'],
    'signature',
    async (request, context, original) => {
      const { language, 'accept-language': acceptLanguage, ...headers } = request.headers;
      wish = { language, 'accept-language': acceptLanguage };
      await gap(holdMs);
      return original.answer({ ...request, headers: { ...headers, ...wish } }, context);
    },
  );
}

/** Who calls is kept where the next request overwrites it before it is told. */
function sharedCaller(holdMs: number): Mutant {
  let application: Context['application'];
  return stageMutant(
    `echo.caller-shared-for-${holdMs}-ms`,
    ['echo.app-key', 'echo.app-name'],
    'endpoint',
    async (request, context, original) => {
      application = context.application;
      await gap(holdMs);
      return original.answer(request, { ...context, application });
    },
  );
}

/** An invoice reads as cancelled while it is being cancelled, and its cancellation is given up where somebody reads it then. */
function uncommittedRead(holdMs: number): Mutant {
  const beingCancelled = new Map<string, { isRead: boolean }>();
  return stageMutant(
    `nfe-query.uncommitted-read-within-${holdMs}-ms`,
    ['nfe-query.follows-the-life-cycle'],
    'endpoint',
    async (request, context, original) => {
      const name = findRoute(request.method, request.path)?.endpoint.name;
      if (name === 'nfe-query') {
        const reply = await original.answer(request, context);
        const cancellation = beingCancelled.get(request.path);
        if (!cancellation || reply?.status !== 200) return reply;
        cancellation.isRead = true;
        return withMembers(reply, { status: 'Cancelada', linkDanfe: undefined });
      }
      if (name !== 'nfe-cancellation') return original.answer(request, context);
      const cancellation = { isRead: false };
      beingCancelled.set(request.path, cancellation);
      await sleep(holdMs);
      beingCancelled.delete(request.path);
      return cancellation.isRead ? busy : original.answer(request, context);
    },
  );
}

const busy: Reply = { status: 400, body: [{ codigo: 'CONC', mensagem: 'nota em uso' }] };

/** Who asks for an invoice while it is issued has it remembered as one that is not there. */
function rememberedAsMissing(holdMs: number): Mutant {
  const underWay = new Map<string, number>();
  const missing = new Set<string>();
  return stageMutant(
    `nfe-query.remembered-as-missing-when-issued-within-${holdMs}-ms`,
    ['nfe-query.found-by-id'],
    'endpoint',
    async (request, context, original) => {
      const name = findRoute(request.method, request.path)?.endpoint.name;
      if (name === 'nfe-issuance') {
        const path = `${request.path}/${idIn(request)}`;
        underWay.set(path, (underWay.get(path) ?? 0) + 1);
        await sleep(holdMs);
        underWay.set(path, (underWay.get(path) ?? 0) - 1);
      }
      if (name !== 'nfe-query') return original.answer(request, context);
      if ((underWay.get(request.path) ?? 0) > 0) missing.add(request.path);
      return missing.has(request.path) ? notThere : original.answer(request, context);
    },
  );
}

const notThere: Reply = { status: 404, body: [{ codigo: 'NFE404', mensagem: 'nota desconhecida' }] };

const taken: Reply = { status: 200 };

/** What goes wrong only where two things happen at once. */
export const raceMutants: readonly Mutant[] = [
  calledBackOnce(),
  ...[0, 1, 5, 20].map((ms) => lookedUpBefore(`two-at-once-accepted-within-${ms}-ms`, ms, taken)),
  lookedUpBefore('second-at-once-fails', 15, { status: 500, body: { code: 'X', message: 'constraint' } }),
  ...[0, 5].map(lostCounts),
  sharedFinding(5),
  sharedDigest(10_000),
  sharedLanguage(5),
  sharedCaller(5),
  oldSecretAlive(50),
  uncommittedRead(10),
  rememberedAsMissing(10),
];
