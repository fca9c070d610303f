import type { Pkcs12Fault } from '../certificates/refusal.ts';
import { largestPartBytes, largestPartCount, type FormFault } from '../http/multipart.ts';
import type { Refusal } from '../rules/refusal.ts';

/** What can be wrong with the upload of a certificate. Section 4, endpoint 3. */

export const uploadTooLarge: Refusal = {
  code: 'SIM-CERTIFICADO-CORPO',
  message: 'O corpo da requisição é grande demais.',
};

export const missingFile: Refusal = {
  code: 'SIM-CERTIFICADO-ARQUIVO-AUSENTE',
  message: 'A parte arquivo está ausente ou não é um arquivo: falta filename no seu Content-Disposition.',
};

export const emptyFile: Refusal = {
  code: 'SIM-CERTIFICADO-ARQUIVO-VAZIO',
  message: 'A parte arquivo está vazia.',
};

export const missingPassword: Refusal = {
  code: 'SIM-CERTIFICADO-SENHA-AUSENTE',
  message: 'A parte senha está ausente ou foi enviada como arquivo, com filename.',
};

export const formFaults: Readonly<Record<FormFault, Refusal>> = {
  'not-multipart': corpo('O Content-Type deve ser multipart/form-data.'),
  'no-boundary': corpo('O Content-Type multipart/form-data não tem boundary.'),
  broken: corpo('O corpo multipart está malformado ou termina antes do último boundary.'),
  'too-many-parts': corpo(`O corpo multipart tem mais de ${largestPartCount} partes.`),
  'part-too-large': corpo(`Uma parte do corpo multipart tem mais de ${largestPartBytes} bytes.`),
  'repeated-part': corpo('Duas partes do corpo multipart têm o mesmo nome.'),
};

export const pkcs12Faults: Readonly<Record<Pkcs12Fault, Refusal>> = {
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
