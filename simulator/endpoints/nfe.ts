import { randomInt } from 'node:crypto';
import { ambientes } from '../../schemas/messages.ts';
import { chaveOf } from '../documents/tax-numbers.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { readContent, unknownFields } from '../issuance/content.ts';
import type { InvoiceContent } from '../issuance/schema.ts';
import type { Empresa, Issued, DocumentKind, Invoice } from '../model.ts';
import { type CertificateFault, longestId } from '../rules/nfe-issuance.ts';
import { type Refusal, unknownEmpresa } from '../rules/refusal.ts';
import type { PathVariables } from '../rules/route.ts';
import type { Call } from './call.ts';
import { cancelAtAuthority } from '../authority/decisions.ts';
import { linkTo } from '../documents/download.ts';
import { parseJsonObject } from '../http/json.ts';

/** More than an invoice of 990 items needs. */
const largestIssuanceBytes = 4 * 1024 * 1024;

/** Accepts an invoice, which settles afterwards; 404 for a company that the caller does not have, 400 for all else. */
export function nfeIssuanceEndpoint(request: RequestFacts, call: Call, variables: PathVariables): Reply {
  const { rules, state, caller } = call;
  const empresa = state.empresas.find(caller.integratorId, variables['empresaId'] ?? '');
  if (!empresa) return call.refuse(unknownEmpresa);
  const isTooLarge = request.isBodyTooLarge || request.rawBody.length > largestIssuanceBytes;
  if (isTooLarge) return call.refuse(tooLarge);
  const body = parseJsonObject(request.rawBody);
  if (!body) return call.refuse(noObject);
  const {
    status,
    body: answer,
    isId,
    ambienteOf,
    isCnpj,
    contentFaults,
    certificateFault,
    holderOf,
  } = rules.nfeIssuance;
  const { id } = body;
  const ambiente = ambienteOf(body['ambienteEmissao']);
  const read = readContent(body);
  const faults = [
    ...(isId(id) ? [] : [badId]),
    ...(ambiente ? [] : [badAmbiente]),
    ...signingFaults(empresa, call.nowMs, certificateFault),
    ...('faults' in read ? read.faults : []),
    ...contentFaults(body),
    ...('content' in read && !isRecipient(read.content, isCnpj) ? [badRecipient] : []),
  ];
  if (faults.length > 0 || !isId(id) || !ambiente || 'faults' in read) return call.refuse(...faults);
  const invoice = state.transaction(() => {
    if (holderOf(id, empresa, state.invoices)) return undefined;
    return state.invoices.add(numbered({ nfeId: id, ambiente, content: read.content }, empresa, call));
  });
  if (!invoice) return call.refuse(takenId(id));
  const unused = unknownFields(body).map(({ path }) => `unused: ${path}`);
  return { status, body: answer, notes: unused, after: () => call.timeline.touch(invoice.appKey) };
}

function isRecipient({ cliente }: InvoiceContent, isCnpj: (text: string) => boolean): boolean {
  return cliente.tipoPessoa === 'F' || isCnpj(cliente.cpfCnpj);
}

/** What keeps a company from signing. */
function signingFaults(empresa: Empresa, nowMs: number, certificateFault: CertificateFault): Refusal[] {
  if (!empresa.certificate) return [noCertificate];
  const fault = certificateFault(empresa.certificate, empresa, nowMs);
  return fault ? [fault] : [];
}

const tooLarge: Refusal = { code: 'SIM-NFE-CORPO', message: 'O corpo da requisição é grande demais.' };
const noObject: Refusal = { code: 'SIM-NFE-CORPO', message: 'O corpo deve ser um objeto JSON em UTF-8.' };
const badId: Refusal = { code: 'SIM-NFE-ID', message: `O campo id deve ser um texto de 1 a ${longestId} caracteres.` };
const badAmbiente: Refusal = {
  code: 'SIM-NFE-AMBIENTE',
  message: `O campo ambienteEmissao deve ser ${ambientes.join(' ou ')}.`,
};
const badRecipient: Refusal = {
  code: 'SIM-NFE-CAMPO-FORMATO',
  message: 'cliente.cpfCnpj deve ter 14 dígitos para tipoPessoa J',
};
const noCertificate: Refusal = {
  code: 'SIM-EMPRESA-SEM-CERTIFICADO',
  message: 'A empresa não tem certificado digital; associe um antes de emitir.',
};

function takenId(id: string): Refusal {
  return { code: 'SIM-NFE-ID-REPETIDO', message: `Já existe uma NF-e com o id ${id} nesta empresa.` };
}

/** The invoice with its number and chave. Numbers go by company, environment and series. */
function numbered(
  asked: Pick<Issued, 'nfeId' | 'ambiente' | 'content'>,
  { empresaId, data }: Empresa,
  { state, caller, nowMs }: Call,
): Issued {
  const { ambiente } = asked;
  const { sequencialNFe, serieNFe } = data.emissaoNFeProduto[`ambiente${ambiente}`];
  const serie = Number(serieNFe);
  const numero = state.invoices.nextNumero(empresaId, ambiente, serie, sequencialNFe);
  const { codigoIbgeUf } = data.endereco;
  const chave = chaveOf({
    ufCode: String(codigoIbgeUf),
    issuedAtMs: nowMs,
    cnpj: data.cnpj,
    serie,
    numero,
    cNF: String(randomInt(10 ** 8)).padStart(8, '0'),
  });
  return {
    ...asked,
    empresaId,
    appKey: caller.appKey,
    serie,
    numero,
    chave,
    issuedMs: nowMs,
    dueMs: nowMs + Math.round(caller.settleSeconds * 1000),
  };
}

/** Shows an invoice of the caller's; 404 for any other. Section 4.1. */
export function nfeQueryEndpoint(_request: RequestFacts, call: Call, variables: PathVariables): Reply {
  const found = findInvoice(call, variables);
  if ('refusal' in found) return call.refuse(found.refusal);
  return { status: 200, body: invoiceObject(found.invoice, call) };
}

/** The invoice that a path names, if it is the caller's. */
export function findInvoice(
  { state, caller }: Pick<Call, 'state' | 'caller'>,
  { empresaId = '', nfeId = '' }: PathVariables,
): { readonly invoice: Invoice } | { readonly refusal: Refusal } {
  const empresa = state.empresas.find(caller.integratorId, empresaId);
  if (!empresa) return { refusal: unknownEmpresa };
  const invoice = state.invoices.find(empresa.empresaId, nfeId);
  return invoice ? { invoice } : { refusal: unknownInvoice };
}

const unknownInvoice: Refusal = {
  status: 404,
  code: 'SIM-NFE-DESCONHECIDA',
  message: 'A empresa não tem NF-e com este id.',
};

/** The invoice as its integrator sees it; besides the contract's fields those that such services usually show. */
function invoiceObject(invoice: Invoice, call: Call): object {
  const { content, settlement } = invoice;
  const record = call.state.authorityRecords.find(invoice.chave);
  const { state, hasLink } = call.rules.nfeQuery;
  const status = state(invoice, record);
  const link = (kind: DocumentKind): string => (hasLink(status, kind) ? linkTo(invoice, kind, call.nowMs, call) : '');
  return {
    id: invoice.nfeId,
    tipo: 'NF-e',
    status,
    motivoStatus: settlement?.motivo ?? '',
    ambienteEmissao: invoice.ambiente,
    dataCriacao: new Date(invoice.issuedMs).toISOString(),
    dataUltimaAlteracao: new Date(settlement?.settledMs ?? invoice.issuedMs).toISOString(),
    numero: invoice.numero,
    serie: invoice.serie,
    dataEmissao: new Date(invoice.issuedMs).toISOString(),
    chaveAcesso: invoice.chave,
    dataAutorizacao: record?.dataAutorizacao ?? '',
    protocolo: record?.protocolo ?? null,
    linkDanfe: link('danfe'),
    linkDownloadXml: link('xml'),
    cliente: content.cliente,
    itens: content.itens,
    valorTotal: content.valorTotal,
    informacoesAdicionais: content.informacoesAdicionais ?? '',
  };
}

/** Cancels an invoice of the caller's; 404 for any other, 400 for one that can't be cancelled. */
export function nfeCancellationEndpoint(_request: RequestFacts, call: Call, variables: PathVariables): Reply {
  const { rules } = call;
  const found = findInvoice(call, variables);
  if ('refusal' in found) return call.refuse(found.refusal);
  const refusal = rules.nfeCancellation.cancel(found.invoice, () => register(found.invoice, call));
  if (refusal) return call.refuse(refusal);
  return { status: rules.nfeCancellation.status, body: rules.nfeCancellation.body };
}

/** Has the authority register a cancellation, after which no verdict on the invoice holds; gives why it does not. */
function register(invoice: Invoice, call: Call): Refusal | undefined {
  const { state, nowMs } = call;
  return state.transaction(() => {
    const refusal = cancelAtAuthority(invoice, nowMs, call);
    if (!refusal) state.verifications.forgetVerdicts(invoice.chave);
    return refusal;
  });
}
