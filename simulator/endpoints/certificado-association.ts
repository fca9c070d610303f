import type { Pkcs12Fault } from '../certificates/decryption.ts';
import { openPkcs12 } from '../certificates/pkcs12.ts';
import { type Form, type FormFault, largestPartBytes, largestPartCount, readForm } from '../http/multipart.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Certificate } from '../model/empresa.ts';
import { type Refusal, unknownEmpresa } from '../rules/refusal.ts';
import type { PathVariables } from '../rules/route.ts';
import type { Call } from './call.ts';

/**
 * Gives a company the certificate in the multipart part `arquivo`, opened with the password in `senha`; refuses with
 * what is wrong, 404 where the caller has no such company. An expired certificate is taken unless a setting says otherwise: what
 * is signed with it is for the tax authority to deny. Section 4, endpoint 3.
 */
export async function certificadoAssociationEndpoint(
  request: RequestFacts,
  call: Call,
  variables: PathVariables,
): Promise<Reply> {
  const { rules, state, caller } = call;
  const empresa = state.empresas.find(caller.integratorId, variables['empresaId'] ?? '');
  if (!empresa) return call.refuse(unknownEmpresa);
  if (request.isBodyTooLarge) return call.refuse(uploadTooLarge);
  const form = await readForm(request);
  if ('fault' in form) return call.refuse(formFaults[form.fault]);
  const opened = certificateIn(form);
  if ('faults' in opened) return call.refuse(...opened.faults);
  const { status, body, certificateFault } = rules.certificadoAssociation;
  const fault = certificateFault(opened.certificate, empresa, call.nowMs);
  if (fault) return call.refuse(fault);
  state.empresas.associate(empresa.empresaId, opened.certificate);
  return { status, body: body(empresa.empresaId, opened.certificate) };
}

function certificateIn({ files, fields }: Form): { certificate: Certificate } | { faults: Refusal[] } {
  const file = files.get('arquivo');
  const password = fields.get('senha');
  const faults = [
    ...(file === undefined ? [missingFile] : []),
    ...(file?.length === 0 ? [emptyFile] : []),
    ...(password === undefined ? [missingPassword] : []),
  ];
  if (faults.length > 0 || file === undefined || password === undefined) return { faults };
  const opened = openPkcs12(file, password);
  return 'fault' in opened ? { faults: [pkcs12Faults[opened.fault]] } : opened;
}

/** What can be wrong with the upload of a certificate. Section 4, endpoint 3. */

const uploadTooLarge: Refusal = {
  code: 'SIM-CERTIFICADO-CORPO',
  message: 'O corpo da requisição é grande demais.',
};

const missingFile: Refusal = {
  code: 'SIM-CERTIFICADO-ARQUIVO-AUSENTE',
  message: 'A parte arquivo está ausente ou não é um arquivo: falta filename no seu Content-Disposition.',
};

const emptyFile: Refusal = {
  code: 'SIM-CERTIFICADO-ARQUIVO-VAZIO',
  message: 'A parte arquivo está vazia.',
};

const missingPassword: Refusal = {
  code: 'SIM-CERTIFICADO-SENHA-AUSENTE',
  message: 'A parte senha está ausente ou foi enviada como arquivo, com filename.',
};

const formFaults: Readonly<Record<FormFault, Refusal>> = {
  'not-multipart': corpo('O Content-Type deve ser multipart/form-data.'),
  'no-boundary': corpo('O Content-Type multipart/form-data não tem boundary.'),
  broken: corpo('O corpo multipart está malformado ou termina antes do último boundary.'),
  'too-many-parts': corpo(`O corpo multipart tem mais de ${largestPartCount} partes.`),
  'part-too-large': corpo(`Uma parte do corpo multipart tem mais de ${largestPartBytes} bytes.`),
  'repeated-part': corpo('Duas partes do corpo multipart têm o mesmo nome.'),
};

const pkcs12Faults: Readonly<Record<Pkcs12Fault, Refusal>> = {
  'not-pkcs12': {
    code: 'SIM-CERTIFICADO-FORMATO',
    message: 'arquivo não é um certificado PKCS#12 (.pfx ou .p12).',
  },
  'wrong-password': { code: 'SIM-CERTIFICADO-SENHA', message: 'senha não abre o arquivo.' },
  unsupported: {
    code: 'SIM-CERTIFICADO-PROTECAO',
    message: 'arquivo usa uma proteção que este simulador não conhece; exporte-o com AES-256 ou 3DES.',
  },
  'too-many-iterations': {
    code: 'SIM-CERTIFICADO-ITERACOES',
    message: 'arquivo usa mais de 1000000 de iterações para derivar suas chaves; exporte-o com menos.',
  },
  'no-key': { code: 'SIM-CERTIFICADO-SEM-CHAVE', message: 'arquivo não contém uma chave privada RSA.' },
  'no-certificate': {
    code: 'SIM-CERTIFICADO-SEM-CERTIFICADO',
    message: 'arquivo não contém o certificado da sua chave privada.',
  },
};

function corpo(message: string): Refusal {
  return { code: 'SIM-CERTIFICADO-CORPO', message };
}
