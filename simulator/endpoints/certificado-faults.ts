import type { Pkcs12Fault } from '../certificates/refusal.ts';
import { largestPartBytes, largestPartCount, type FormFault } from '../http/multipart.ts';
import type { Fault } from '../rules/faults.ts';

/** What can be wrong with the upload of a certificate. Section 4, endpoint 3. */

export const uploadTooLarge: Fault = {
  codigo: 'SIM-CERTIFICADO-CORPO',
  mensagem: 'O corpo da requisição é grande demais.',
};

export const missingFile: Fault = {
  codigo: 'SIM-CERTIFICADO-ARQUIVO-AUSENTE',
  mensagem: 'A parte arquivo está ausente ou não é um arquivo: falta filename no seu Content-Disposition.',
};

export const emptyFile: Fault = {
  codigo: 'SIM-CERTIFICADO-ARQUIVO-VAZIO',
  mensagem: 'A parte arquivo está vazia.',
};

export const missingPassword: Fault = {
  codigo: 'SIM-CERTIFICADO-SENHA-AUSENTE',
  mensagem: 'A parte senha está ausente ou foi enviada como arquivo, com filename.',
};

export const formFaults: Readonly<Record<FormFault, Fault>> = {
  'not-multipart': corpo('O Content-Type deve ser multipart/form-data.'),
  'no-boundary': corpo('O Content-Type multipart/form-data não tem boundary.'),
  broken: corpo('O corpo multipart está malformado ou termina antes do último boundary.'),
  'too-many-parts': corpo(`O corpo multipart tem mais de ${largestPartCount} partes.`),
  'part-too-large': corpo(`Uma parte do corpo multipart tem mais de ${largestPartBytes} bytes.`),
  'repeated-part': corpo('Duas partes do corpo multipart têm o mesmo nome.'),
};

export const pkcs12Faults: Readonly<Record<Pkcs12Fault, Fault>> = {
  'not-pkcs12': {
    codigo: 'SIM-CERTIFICADO-FORMATO',
    mensagem: 'arquivo não é um certificado PKCS#12 (.pfx ou .p12).',
  },
  'wrong-password': { codigo: 'SIM-CERTIFICADO-SENHA', mensagem: 'senha não abre o arquivo.' },
  unsupported: {
    codigo: 'SIM-CERTIFICADO-PROTECAO',
    mensagem: 'arquivo usa uma proteção que este simulador não conhece; exporte-o com AES-256 ou 3DES.',
  },
  'too-many-iterations': {
    codigo: 'SIM-CERTIFICADO-ITERACOES',
    mensagem: 'arquivo usa mais de 1000000 de iterações para derivar suas chaves; exporte-o com menos.',
  },
  'no-key': { codigo: 'SIM-CERTIFICADO-SEM-CHAVE', mensagem: 'arquivo não contém uma chave privada RSA.' },
  'no-certificate': {
    codigo: 'SIM-CERTIFICADO-SEM-CERTIFICADO',
    mensagem: 'arquivo não contém o certificado da sua chave privada.',
  },
};

function corpo(mensagem: string): Fault {
  return { codigo: 'SIM-CERTIFICADO-CORPO', mensagem };
}
