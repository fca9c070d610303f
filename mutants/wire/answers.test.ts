import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { Reply } from '../../simulator/http/reply.ts';
import { referenceRules } from '../../simulator/rules/rules.ts';
import {
  echoCall,
  send,
  signedCall,
  systemSeconds,
  type TestAnswer,
  type TestCall,
  runningSimulator,
  textIn,
} from '../../simulator/testing/call.ts';
import { testIssuer } from '../../simulator/testing/company.ts';
import { withStages } from '../mutant.ts';
import type { Breach, WireAnswer } from './breach.ts';
import { endpointBreaches } from './endpoints.ts';
import { gatewayBreaches } from './gateway.ts';
import { differences } from './testing/differences.ts';
import { spoilt, stageBehind } from './wire.ts';

const seen: WireAnswer[] = [];
const simulator = runningSimulator({
  rules: withStages(referenceRules, [stageBehind((answer) => void seen.push(answer))]),
});

const ask = (call: TestCall): Promise<TestAnswer> => send(simulator.baseUrl, call);
const consultas = '/openapi/v3/consultas';

/** Right calls, and wrong ones of each sort, so that each breach has an answer to spoil. */
beforeAll(async () => {
  const { appSecret } = await simulator.application();
  await askGateway(appSecret);
  for (const wish of [{ state: 'disabled' }, { subscriptions: [] }, { rateLimit: { limit: 0, windowSeconds: 60 } }]) {
    await askRefused((await simulator.application(wish)).appSecret);
  }
  await askLookups(appSecret, await askInvoices());
});

async function askGateway(token: string): Promise<void> {
  await ask(echoCall(token));
  await ask({ ...echoCall(token), headers: { token } });
  await ask(echoCall(token, { timestamp: systemSeconds(-900) }));
  await ask(echoCall('nobody'));
  await ask(echoCall(token, { signedPath: '/other' }));
  await ask(signedCall({ token, target: `${consultas}/cnpj/1`, signedPath: '/other' }));
}

async function askRefused(token: string): Promise<void> {
  await ask(echoCall(token));
  await ask(echoCall(token, { signedPath: '/other' }));
  await ask(signedCall({ token, method: 'POST', target: '/openapi/nfe/invoice/create' }));
}

/** Gives the chave of an invoice. */
async function askInvoices(): Promise<string> {
  const issuer = await testIssuer(simulator);
  const invoice = '/openapi/v2/empresas/{empresa}/nf-e';
  for (const uri of ['http://127.0.0.1:9/x', 'ftp://x']) {
    await issuer.ask('POST', '/openapi/v1/webhooks', { uri, token: 't' });
  }
  await issuer.issue('a');
  await issuer.issue('a');
  await issuer.advance(0);
  for (const id of ['a', 'none']) await issuer.query(id);
  for (const id of ['a', 'none']) await issuer.ask('DELETE', `${invoice}/${id}`);
  await issuer.advance(0);
  await issuer.query('a');
  return textIn((await issuer.query('a')).json, 'chaveAcesso');
}

async function askLookups(token: string, chave: string): Promise<void> {
  const document = readFileSync('profiles/default/verificacao.autorizada.xml', 'utf8').replaceAll(/[\r\n]/g, '');
  const headers = { 'content-type': 'application/xml' };
  for (const body of [document, document + ' '.repeat(600_000), '']) {
    await ask(signedCall({ token, method: 'POST', target: `${consultas}/nf-e/xml`, body, headers }));
  }
  const known = textIn(JSON.parse(readFileSync('profiles/default/consultas.json', 'utf8')), 'cnpj');
  for (const what of [`nf-e/${chave}`, `nf-e/${'1'.repeat(44)}`, `cnpj/${known}`, 'cnpj/1', 'cpf/1/2']) {
    await ask(signedCall({ token, target: `${consultas}/${what}` }));
  }
}

const answering = [...gatewayBreaches, ...endpointBreaches].filter(
  (breach): breach is Breach & { kind: 'answer' } => breach.kind === 'answer',
);

/** What tells a wrong answer from the right one: its status, or places of its body. */
function told({ reply }: WireAnswer, wrong: Reply): string {
  if (wrong.status !== reply.status) return `${wrong.status} for ${reply.status}`;
  const places = differences(reply.body, wrong.body);
  return places.length > 3 || places[0] === '' ? 'another body' : places.join(', ');
}

test('each breach of an answer finds one to spoil, changes what it says, and nothing else', async () => {
  const changed: Record<string, string> = {};
  for (const breach of answering) {
    const ways = new Set<string>();
    for (const answer of seen) {
      const wrong = await spoilt(breach, answer);
      if (wrong) ways.add(told(answer, wrong));
    }
    changed[breach.id] = [...ways].join(' or ');
  }
  expect(changed).toMatchInlineSnapshot(`
    {
      "application.disabled-as-pending": "code",
      "application.disabled-served": "200 for 403",
      "certificado-association.enveloped": "another body",
      "chave-lookup.enveloped": "another body",
      "chave-lookup.unknown-found": "200 for 400",
      "cnpj-lookup.enveloped": "another body",
      "cnpj-lookup.unknown-found": "200 for 400",
      "cpf-lookup.refusal-without-code": "code",
      "echo.bare": "another body",
      "echo.message-cut": "data.echo",
      "echo.no-fraction": "data.serverTime",
      "echo.not-found": "404 for 200",
      "echo.of-another": "data.appKey",
      "empresa-registration.enveloped": "another body",
      "empresa-registration.id-in-array": "empresaId",
      "envelope.code-as-text": "code",
      "envelope.message-empty": "message",
      "envelope.no-error-type": "errorType",
      "envelope.none": "another body",
      "envelope.success-true": "success",
      "errors.bare-403": "success",
      "errors.error-type-of-410": "errorType",
      "errors.forbidden-by-a-front": "403 for 200",
      "errors.limited-by-a-front": "429 for 200",
      "language.another": "message",
      "nfe-cancellation.status-204": "204 for 200",
      "nfe-cancellation.turned-down": "400 for 200",
      "nfe-cancellation.unknown-taken": "200 for 404",
      "nfe-cancellation.with-content": "another body",
      "nfe-issuance.all-taken": "200 for 400",
      "nfe-issuance.error-without-array": "another body",
      "nfe-issuance.fails": "500 for 200",
      "nfe-issuance.refused-with-success": "200 for 400",
      "nfe-issuance.refused-without-a-word": "404 for 400",
      "nfe-issuance.status-202": "202 for 200",
      "nfe-issuance.with-content": "another body",
      "nfe-query.authorised-again": "linkDanfe, status",
      "nfe-query.danfe-when-cancelled": "linkDanfe",
      "nfe-query.enveloped": "another body",
      "nfe-query.error-without-array": "another body",
      "nfe-query.no-danfe": "linkDanfe",
      "nfe-query.stale": "200 for 404",
      "nfe-query.turned-down": "400 for 200",
      "nfe-query.unknown-status": "status",
      "nfe-query.xml-link-dead": "linkDownloadXml",
      "nfe-query.xml-link-relative": "linkDownloadXml",
      "nfe-verification.all-taken": "200 for 400",
      "nfe-verification.enveloped": "another body",
      "nfe-verification.large-refused": "400 for 200",
      "nfe-verification.no-verdict": "validation.validationStatus",
      "nfe-verification.other-word": "validation.validationStatus",
      "nfe-verification.refusal-as-array": "another body",
      "precedence.403-before-401": "403 for 401",
      "rate-limit.bare": "success",
      "rate-limit.not-kept": "200 for 429",
      "rate-limit.without-a-limit": "429 for 200",
      "required-headers.code-of-signature": "code",
      "required-headers.not-needed": "200 for 401",
      "retirement.issuance-gone": "410 for 200",
      "retirement.not-found": "404 for 410",
      "retirement.other-code": "code",
      "retirement.replacement-lost": "message",
      "retirement.subscription-first": "403 for 410",
      "signature.any-taken": "200 for 401 or 400 for 401 or 403 for 401 or 429 for 401",
      "signature.any-taken-by-get": "400 for 401",
      "signature.code-of-token": "code",
      "signature.under-500": "500 for 401",
      "subscription.code-of-disabled": "code",
      "subscription.served-one-refused": "403 for 200",
      "subscription.unsubscribed-served": "200 for 403",
      "timestamp.any-taken": "200 for 401",
      "timestamp.right-one-refused": "401 for 200",
      "token.code-of-signature": "code",
      "token.unknown-taken": "200 for 401",
      "webhook-url.any-taken": "200 for 400",
      "webhook-url.enveloped": "another body",
    }
  `);
});
