import { randomInt } from 'node:crypto';
import { ambientes } from '../../schemas/messages.ts';
import { chaveOf } from '../documents/tax-numbers.ts';
import { parseJsonObject } from '../http/json.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { readContent, unknownFields } from '../issuance/content.ts';
import type { InvoiceContent } from '../issuance/schema.ts';
import type { Empresa } from '../model/empresa.ts';
import type { Issued } from '../model/invoice.ts';
import { type CertificateFault, longestId } from '../rules/nfe-issuance.ts';
import { type Refusal, unknownEmpresa } from '../rules/refusal.ts';
import type { PathVariables } from '../rules/route.ts';
import type { Call } from './call.ts';

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
