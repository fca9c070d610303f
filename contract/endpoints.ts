/** The shape in which a family of endpoints reports its own errors. Section 7.3; the first family's is not shown there. */
export type ErrorShape = 'code-message' | 'codigo-mensagem-array';

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

/** Method and path template of an endpoint, standard or retired: what a reader calls it by. */
export function methodAndPath({ method, path }: Readonly<Record<'method' | 'path', string>>): string {
  return `${method} ${path}`;
}

/** The endpoint that a request is for, by its method and what stands on its request line; `undefined` for none of the eleven. */
export function endpointAt(method: string, target: string): (Endpoint & { readonly name: EndpointName }) | undefined {
  return endpoints.find((known) => known.method === method && isPathOf(known.path, target));
}

/** Whether what stands on a request line, with or without a query, is that path with its `{name}`s filled in. */
export function isPathOf(path: string, target: string): boolean {
  const segments = target.split('?', 1).join('').split('/');
  const wanted = path.split('/');
  const fits = (want: string, index: number): boolean =>
    want.startsWith('{') ? segments[index] !== '' : segments[index] === want;
  return segments.length === wanted.length && wanted.every(fits);
}

/** Its path with every `{name}` filled in, as it stands on the request line. Values go in unescaped. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for ${placeholder} of ${path}`);
    return value;
  });
}
