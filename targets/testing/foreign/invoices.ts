import { randomBytes, randomUUID } from 'node:crypto';
import { objectIn, refusedWithArray, refusedWithCode, type Answer, type Received, isObject } from './gateway.ts';
import type { Application, Company, World, Invoice } from './world.ts';
import { chaveOf, factsOf, recordOf, linkTo } from './documents.ts';
import { deliverCallback } from './deliveries.ts';

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
function companyOf(owner: Application, { companies }: World, id = ''): Company | undefined {
  const company = companies.get(id);
  return company?.owner === owner ? company : undefined;
}

/** That a company does not exist, as issuance, query and cancellation say it. */
function unknownCompany(): Answer {
  return refusedWithArray(404, 1404, 'Empresa não encontrada para esta aplicação.');
}

/** Takes an invoice, which settles later. Endpoint 5. */
export function issueInvoice(
  request: Received,
  owner: Application,
  world: World,
  variables: readonly string[],
): Answer {
  const company = companyOf(owner, world, variables[0]);
  if (!company) return unknownCompany();
  const body = objectIn(request.rawBody);
  if (!body) return refusedWithArray(400, 1001, 'Envie um objeto JSON.');
  const id = body.get('id');
  if (typeof id !== 'string' || !/^[\w.-]{1,60}$/.test(id)) return refusedWithArray(400, 1002, 'id inválido.');
  const fault = faultOf(body, company, world);
  if (fault) return fault;
  if (company.invoices.has(id)) return refusedWithArray(400, 1003, 'id repetido.');
  const invoice = newInvoice(id, company, world);
  company.invoices.set(id, invoice);
  world.counters.invoices += 1;
  settleLater(invoice, isDenied(body, world), world);
  return { status: 200 };
}

function faultOf(body: ReadonlyMap<string, unknown>, company: Company, world: World): Answer | undefined {
  const ambiente = body.get('ambienteEmissao');
  if (ambiente !== 'Producao' && ambiente !== 'Homologacao') {
    return refusedWithArray(400, 1004, 'ambienteEmissao desconhecido.');
  }
  if (!company.hasCertificate) return refusedWithArray(400, 1005, 'Empresa sem certificado.');
  if (world.settings.issuance === 'lenient') return undefined;
  if (!isObject(body.get('cabecalho'))) return refusedWithArray(400, 1006, 'Falta o objeto cabecalho.');
  return Array.isArray(body.get('produtos')) ? undefined : refusedWithArray(400, 1007, 'Falta a lista produtos.');
}

function isDenied(body: ReadonlyMap<string, unknown>, { settings }: World): boolean {
  if (settings.issuance === 'denies') return true;
  const header = body.get('cabecalho');
  return settings.issuance !== 'lenient' && isObject(header) && 'irregular' in header && header.irregular === true;
}

function newInvoice(id: string, company: Company, world: World): Invoice {
  const number = 100 + world.counters.invoices;
  const issuedMs = world.nowMs();
  const chave = chaveOf(number, issuedMs);
  return { id, company, number, chave, issuedMs, status: 'AguardandoAutorizacao', settledMs: undefined };
}

function settleLater(invoice: Invoice, isToBeDenied: boolean, world: World): void {
  if (world.settings.issuance === 'waits') return;
  world.later(world.settings.settleMs, () => {
    invoice.status = isToBeDenied ? 'Negada' : 'Autorizada';
    invoice.settledMs = world.nowMs();
    if (!isToBeDenied) world.records.set(invoice.chave, recordOf(factsOf(invoice)));
    void deliverCallback(invoice, world);
  });
}

/** Shows an invoice. Endpoint 6. */
export function queryInvoice(
  _request: Received,
  owner: Application,
  world: World,
  variables: readonly string[],
): Answer {
  const company = companyOf(owner, world, variables[0]);
  if (!company) return unknownCompany();
  const invoice = company.invoices.get(variables[1] ?? '');
  if (!invoice) return unknownInvoice();
  const { id, status, chave, number, settledMs } = invoice;
  const hasDocument = status === 'Autorizada' || status === 'Cancelada';
  const json = {
    requestId: randomUUID(),
    idIntegracao: id,
    status,
    situacao: { descricao: status, desde: settledMs === undefined ? null : new Date(settledMs).toISOString() },
    chave: status === 'Negada' ? null : chave,
    numero: number,
    data: new Date(invoice.issuedMs).toISOString().slice(0, 10),
    linkDanfe: status === 'Autorizada' ? linkTo(invoice, 'danfe', world) : null,
    xmlVersao: '4.00',
    arquivoXmlUrl: hasDocument ? linkTo(invoice, 'xml', world) : null,
  };
  return { status: 200, json };
}

/** Cancels an authorised invoice, which shows a little later; one that is cancelled already stays so. Endpoint 7. */
export function cancelInvoice(
  _request: Received,
  owner: Application,
  world: World,
  variables: readonly string[],
): Answer {
  const company = companyOf(owner, world, variables[0]);
  if (!company) return unknownCompany();
  const invoice = company.invoices.get(variables[1] ?? '');
  if (!invoice) return unknownInvoice();
  if (invoice.status === 'Cancelada') return { status: 200 };
  if (invoice.status !== 'Autorizada') return refusedWithArray(400, 1008, 'A nota não está autorizada.');
  world.counters.cancellations += 1;
  world.later(world.settings.settleMs, () => {
    invoice.status = 'Cancelada';
    world.records.set(invoice.chave, recordOf(factsOf(invoice), 'Cancelada'));
  });
  return { status: 200 };
}

function unknownInvoice(): Answer {
  return refusedWithArray(400, 1009, 'Nenhuma nota com este id.');
}
