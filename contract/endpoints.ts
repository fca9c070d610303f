/** The shape in which a family of endpoints reports its own errors. Section 7.3; the first family's is not shown there. */
type ErrorShape = 'code-message' | 'codigo-mensagem-array';

/** What an accepted call may leave behind at a target, by endpoint: 2, 3, 4, 5 and 7 in section 4. */
export const sideEffects = ['companies', 'certificates', 'addresses', 'invoices', 'cancellations'] as const;

export type SideEffect = (typeof sideEffects)[number];

/** One of the eleven standard endpoints. Section 4. */
export interface Endpoint {
  /** Short name that the suite and the simulator call it by. */
  readonly name: string;
  /** Its number in section 4. */
  readonly number: number;
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path from `/openapi` on; `{name}` stands for one non-empty segment. */
  readonly path: string;
  /** What the request carries: decides what is signed as its body. Sections 4.1 and 5.2. */
  readonly body: 'json' | 'xml' | 'multipart' | 'none';
  readonly errors: ErrorShape;
  /** What it leaves behind by a call that it accepts; absent where that is nothing. */
  readonly leaves?: SideEffect;
  /** That is something new: a server that takes any body makes it of any, while what changes something known needs that. */
  readonly makesNew?: true;
}

/** The eleven standard endpoints, in the order of section 4. */
export const endpoints = [
  { name: 'echo', number: 1, method: 'POST', path: '/openapi/demo/echo', body: 'json', errors: 'code-message' },
  {
    name: 'empresa-registration',
    number: 2,
    method: 'POST',
    path: '/openapi/v2/empresas',
    body: 'json',
    errors: 'codigo-mensagem-array',
    leaves: 'companies',
    makesNew: true,
  },
  {
    name: 'certificado-association',
    number: 3,
    method: 'POST',
    path: '/openapi/v1/empresas/{empresaId}/certificadoDigital',
    body: 'multipart',
    errors: 'codigo-mensagem-array',
    leaves: 'certificates',
  },
  {
    name: 'webhook-registration',
    number: 4,
    method: 'POST',
    path: '/openapi/v1/webhooks',
    body: 'json',
    errors: 'codigo-mensagem-array',
    leaves: 'addresses',
    makesNew: true,
  },
  {
    name: 'nfe-issuance',
    number: 5,
    method: 'POST',
    path: '/openapi/v2/empresas/{empresaId}/nf-e',
    body: 'json',
    errors: 'codigo-mensagem-array',
    leaves: 'invoices',
    makesNew: true,
  },
  {
    name: 'nfe-query',
    number: 6,
    method: 'GET',
    path: '/openapi/v2/empresas/{empresaId}/nf-e/{nfeId}',
    body: 'none',
    errors: 'codigo-mensagem-array',
  },
  {
    name: 'nfe-cancellation',
    number: 7,
    method: 'DELETE',
    path: '/openapi/v2/empresas/{empresaId}/nf-e/{nfeId}',
    body: 'none',
    errors: 'codigo-mensagem-array',
    leaves: 'cancellations',
  },
  {
    name: 'nfe-verification',
    number: 8,
    method: 'POST',
    path: '/openapi/v3/consultas/nf-e/xml',
    body: 'xml',
    errors: 'code-message',
  },
  {
    name: 'chave-lookup',
    number: 9,
    method: 'GET',
    path: '/openapi/v3/consultas/nf-e/{chave}',
    body: 'none',
    errors: 'code-message',
  },
  {
    name: 'cnpj-lookup',
    number: 10,
    method: 'GET',
    path: '/openapi/v3/consultas/cnpj/{cnpj}',
    body: 'none',
    errors: 'code-message',
  },
  {
    name: 'cpf-lookup',
    number: 11,
    method: 'GET',
    path: '/openapi/v3/consultas/cpf/{cpf}/{nascimento}',
    body: 'none',
    errors: 'code-message',
  },
] as const satisfies readonly Endpoint[];

export type EndpointName = (typeof endpoints)[number]['name'];

/** The endpoint of that name. */
export function endpoint(name: EndpointName): Endpoint {
  const found = endpoints.find((candidate) => candidate.name === name);
  if (!found) throw new Error(`no endpoint is called ${name}`);
  return found;
}

/** The subscription key of an endpoint: its lower-cased path with `{xx}` for each variable. Section 4. */
export function scopeOf({ path }: Readonly<Record<'path', string>>): string {
  return path.toLowerCase().replaceAll(/\{\w+\}/g, '{xx}');
}

/** Method and path template of an endpoint, standard or retired: what a reader calls it by. */
export function methodAndPath({ method, path }: Readonly<Record<'method' | 'path', string>>): string {
  return `${method} ${path}`;
}

/** The endpoint that a request is for, by its method and what stands on its request line; `undefined` for none of the eleven. */
export function endpointAt(method: string, target: string): (Endpoint & { readonly name: EndpointName }) | undefined {
  return endpoints.find((known) => known.method === method && isPathOf(known.path, target));
}

/** Whether what stands on a request line, with or without a query, is that path with its `{name}`s filled in. */
function isPathOf(path: string, target: string): boolean {
  const segments = target.split('?', 1).join('').split('/');
  const wanted = path.split('/');
  const fits = (want: string, index: number): boolean =>
    want.startsWith('{') ? segments[index] !== '' : segments[index] === want;
  return segments.length === wanted.length && wanted.every(fits);
}

/** Its path with every `{name}` filled in, as it stands on the request line. Section 4. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for ${placeholder} of ${path}`);
    return segmentOf(value.toWellFormed());
  });
}

/** What no segment of a path can hold as it stands: a % that begins no escape is among it. */
const unfit = /[^!-~]|[/?#]|%(?![\dA-Fa-f]{2})/u;

/**
 * That value as a segment of a path. One that can be a segment is taken for one, escapes and all: its server wrote it so. Of any other
 * only what does not fit is escaped, and each %, which then begins no escape: who writes an id with a blank means it to be addressed.
 */
function segmentOf(value: string): string {
  return unfit.test(value) ? value.replaceAll(/[^!-~]|[/?#%]/gu, encodeURIComponent) : value;
}

/** An endpoint that answers 410 since 2026-09-04. Section 4.3. */
export interface RetiredEndpoint {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** The endpoint that its 410 message names. */
  readonly replacement: EndpointName;
  /** The field of the replacement's answer that took over, where the contract names one. */
  readonly field?: string;
}

/** The nine retired endpoints with their replacements. Section 4.3. */
export const retiredEndpoints: readonly RetiredEndpoint[] = [
  { method: 'POST', path: '/openapi/nfe/invoice/create', replacement: 'nfe-issuance' },
  { method: 'POST', path: '/openapi/nfe/invoice/query', replacement: 'nfe-query' },
  { method: 'POST', path: '/openapi/nfe/invoice/cancel', replacement: 'nfe-cancellation' },
  { method: 'POST', path: '/openapi/nfe/invoice/status', replacement: 'nfe-query', field: 'status' },
  { method: 'POST', path: '/openapi/nfe/invoice/danfe', replacement: 'nfe-query', field: 'linkDanfe' },
  { method: 'POST', path: '/openapi/nfe/verify/xml', replacement: 'nfe-verification' },
  { method: 'POST', path: '/openapi/nfe/verify/chave', replacement: 'chave-lookup' },
  { method: 'GET', path: '/openapi/cadastro/cnpj/{cnpj}', replacement: 'cnpj-lookup' },
  { method: 'GET', path: '/openapi/cadastro/cpf/{cpf}/{nascimento}', replacement: 'cpf-lookup' },
];

/** The endpoint, standard or retired, that a request line is for; `undefined` for one of no endpoint. Sections 4 and 4.3. */
export function calledEndpoint(method: string, target: string): Endpoint | RetiredEndpoint | undefined {
  const isAsked = (known: { method: string; path: string }): boolean =>
    known.method === method && isPathOf(known.path, target);
  return endpoints.find(isAsked) ?? retiredEndpoints.find(isAsked);
}

/** What is counted of requests: how many they are, and what they leave behind at the target. */
export const costKinds = ['requests', ...sideEffects] as const;

export type CostKind = (typeof costKinds)[number];

/** What requests cost a target: how many there are, and what they leave behind. */
export type Cost = Record<CostKind, number>;

/** What of it stays at the target. */
export type LeftBehind = Record<SideEffect, number>;

/** What is left behind, reckoned kind by kind. */
export function leftBehind(of: (what: SideEffect) => number): LeftBehind {
  return {
    companies: of('companies'),
    certificates: of('certificates'),
    addresses: of('addresses'),
    invoices: of('invoices'),
    cancellations: of('cancellations'),
  };
}

/** A cost, reckoned kind by kind. */
export function costBy(of: (kind: CostKind) => number): Cost {
  return { requests: of('requests'), ...leftBehind(of) };
}

/** Costs added up. */
export function sumOfCosts(costs: readonly Cost[]): Cost {
  return costBy((kind) => costs.reduce((sum, cost) => sum + cost[kind], 0));
}

/** The one without the other. */
export function costWithout(whole: Cost, part: Cost): Cost {
  return costBy((kind) => whole[kind] - part[kind]);
}
