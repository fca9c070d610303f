import { randomUUID } from 'node:crypto';
import { companyOf, unknownCompany } from './companies.ts';
import { chaveOf, factsOf, recordOf } from './documents.ts';
import { isObject, objectIn, refusedWithArray, type Answer, type Received } from './messages.ts';
import { deliverCallback } from './callbacks.ts';
import { linkTo } from './links.ts';
import type { Application, Company, Invoice, World } from './world.ts';

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
