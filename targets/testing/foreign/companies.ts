import { randomBytes, randomUUID } from 'node:crypto';
import { objectIn, refusedWithArray, refusedWithCode, type Answer, type Received } from './messages.ts';
import type { Application, Company, World } from './world.ts';

/** Registers a company of whatever it is told: any JSON object will do. Endpoint 2. */
export function registerCompany(request: Received, owner: Application, world: World): Answer {
  const body = objectIn(request.rawBody);
  if (!body) return refusedWithCode(400, 400001, 'O corpo não é um objeto JSON.');
  if (world.settings.companies === 'none') return refusedWithCode(422, 422001, 'Cadastro de empresas encerrado.');
  const id = `emp_${randomBytes(9).toString('base64url')}Z`;
  world.companies.set(id, { id, owner, hasCertificate: false, invoices: new Map() });
  world.counters.companies += 1;
  const name = body.get('razao') ?? body.get('razaoSocial') ?? null;
  // `data` is Portuguese for date: this is no envelope.
  const data = new Date(world.nowMs()).toISOString().slice(0, 10);
  return { status: 200, json: { empresaId: id, razao: name, data, message: 'Cadastrada', requestId: randomUUID() } };
}

/** Takes a certificate in a part of any name, as long as there is a file. Nothing is answered. Endpoint 3. */
export function associateCertificate(
  request: Received,
  owner: Application,
  world: World,
  variables: readonly string[],
): Answer {
  const company = companyOf(owner, world, variables[0]);
  if (!company) return refusedWithCode(404, 404001, 'Empresa não cadastrada.');
  if (world.settings.certificates === 'none') return refusedWithCode(422, 422002, 'Certificado de outro titular.');
  if (!hasFile(request)) return refusedWithCode(400, 400002, 'Falta o arquivo do certificado.');
  company.hasCertificate = true;
  world.counters.certificates += 1;
  return { status: 200 };
}

function hasFile(request: Received): boolean {
  const boundary = /^multipart\/form-data;.*boundary="?([^";]+)/i.exec(request.header('content-type') ?? '')?.[1];
  const text = request.rawBody.toString('latin1');
  return boundary !== undefined && text.includes(`--${boundary}`) && /;\s*filename=/i.test(text);
}

/** Makes an address the only one that gets an application's callbacks, and starts them again. Endpoint 4. */
export function registerWebhook(request: Received, owner: Application, world: World): Answer {
  const body = objectIn(request.rawBody);
  const [url, token] = [body?.get('uri'), body?.get('token')];
  if (typeof url !== 'string' || !isCallable(url)) return refusedWithCode(422, 422003, 'uri inválida.');
  if (typeof token !== 'string' || token === '') return refusedWithCode(422, 422004, 'token ausente.');
  owner.callback = { url, token, failures: 0 };
  world.counters.webhooks += 1;
  return { status: 200, json: { id: randomUUID(), situacao: 'ATIVO', requestId: randomUUID() } };
}

/** Whether an address is an absolute http or https URL. Section 6.5. */
function isCallable(url: string): boolean {
  return /^https?:\/\/[^/?#\s]+/i.test(url) && URL.canParse(url);
}

/** The company of that id, if it is the application's. */
export function companyOf(owner: Application, { companies }: World, id = ''): Company | undefined {
  const company = companies.get(id);
  return company?.owner === owner ? company : undefined;
}

/** That a company does not exist, as issuance, query and cancellation say it. */
export function unknownCompany(): Answer {
  return refusedWithArray(404, 1404, 'Empresa não encontrada para esta aplicação.');
}
