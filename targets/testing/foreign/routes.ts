import { associateCertificate, registerCompany, registerWebhook } from './companies.ts';
import { echo } from './echo.ts';
import { cancelInvoice, issueInvoice, queryInvoice } from './invoices.ts';
import type { Answer, Received } from './messages.ts';
import { lookUpCnpj, lookUpCpf } from './registries.ts';
import { lookUpChave, verifyDocument } from './verification.ts';
import type { Application, World } from './world.ts';

/** Answers a request that the gateway let pass; variables are those of the path, decoded. */
type Handler = (request: Received, owner: Application, world: World, variables: readonly string[]) => Answer;

/** The eleven endpoints. Section 4. */
const endpoints: readonly (readonly [method: string, path: string, handler: Handler])[] = [
  ['POST', '/openapi/demo/echo', echo],
  ['POST', '/openapi/v2/empresas', registerCompany],
  ['POST', '/openapi/v1/empresas/*/certificadoDigital', associateCertificate],
  ['POST', '/openapi/v1/webhooks', registerWebhook],
  ['POST', '/openapi/v2/empresas/*/nf-e', issueInvoice],
  ['GET', '/openapi/v2/empresas/*/nf-e/*', queryInvoice],
  ['DELETE', '/openapi/v2/empresas/*/nf-e/*', cancelInvoice],
  ['POST', '/openapi/v3/consultas/nf-e/xml', verifyDocument],
  ['GET', '/openapi/v3/consultas/nf-e/*', lookUpChave],
  ['GET', '/openapi/v3/consultas/cnpj/*', lookUpCnpj],
  ['GET', '/openapi/v3/consultas/cpf/*/*', lookUpCpf],
];

/** The nine retired paths with what their 410 names: with method, with field, filled in, as it comes. Section 4.3. */
const retired: readonly (readonly [method: string, path: string, replacement: string])[] = [
  ['POST', '/openapi/nfe/invoice/create', 'POST /openapi/v2/empresas/{id}/nf-e'],
  ['POST', '/openapi/nfe/invoice/query', '/openapi/v2/empresas/{id}/nf-e/{numero}'],
  ['POST', '/openapi/nfe/invoice/cancel', 'DELETE /openapi/v2/empresas/{id}/nf-e/{numero}'],
  ['POST', '/openapi/nfe/invoice/status', '/openapi/v2/empresas/{id}/nf-e/{numero} (status)'],
  ['POST', '/openapi/nfe/invoice/danfe', '/openapi/v2/empresas/{id}/nf-e/{numero}#linkDanfe'],
  ['POST', '/openapi/nfe/verify/xml', 'POST /openapi/v3/consultas/nf-e/xml'],
  ['POST', '/openapi/nfe/verify/chave', '/openapi/v3/consultas/nf-e/{44}'],
  ['GET', '/openapi/cadastro/cnpj/*', '/openapi/v3/consultas/cnpj/$1'],
  ['GET', '/openapi/cadastro/cpf/*/*', '/openapi/v3/consultas/cpf/{cpf}/{ddmmaaaa}'],
];

/** Where a request leads. */
export type Route =
  | { readonly kind: 'endpoint'; readonly handler: Handler; readonly variables: readonly string[] }
  | { readonly kind: 'retired'; readonly replacement: string }
  | { readonly kind: 'other-method' }
  | { readonly kind: 'none' };

/** The route of a method and a path as it was sent. */
export function routeOf(method: string, path: string): Route {
  for (const [wanted, pattern, handler] of endpoints) {
    const variables = wanted === method ? variablesIn(path, pattern) : undefined;
    if (variables) return { kind: 'endpoint', handler, variables };
  }
  for (const [wanted, pattern, replacement] of retired) {
    const variables = wanted === method ? variablesIn(path, pattern) : undefined;
    if (variables) return { kind: 'retired', replacement: replacement.replace('$1', () => variables[0] ?? '') };
  }
  const isKnown = [...endpoints, ...retired].some(([, pattern]) => variablesIn(path, pattern));
  return { kind: isKnown ? 'other-method' : 'none' };
}

/** What stands for the stars of a pattern; `undefined` where the path is another one. */
function variablesIn(path: string, pattern: string): readonly string[] | undefined {
  const [parts, wanted] = [path.split('/'), pattern.split('/')];
  if (parts.length !== wanted.length) return undefined;
  if (wanted.some((part, at) => (part === '*' ? parts[at] === '' : part !== parts[at]))) return undefined;
  return parts.filter((_, at) => wanted[at] === '*').map(decoded);
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
