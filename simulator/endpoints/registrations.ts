import { ownSchemas } from '../../schemas/validate.ts';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FromSchema } from 'json-schema-to-ts';
import { onFirstUse } from '../../schemas/values.ts';
import { isCnpj } from '../documents/tax-numbers.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { faultsByField, tidied } from '../issuance/content.ts';
import { capitals, form, oneOf, text, ufCode, wordsOf } from '../issuance/schema-words.ts';
import type { EmpresaData, Numbering, Certificate } from '../model.ts';
import { type Refusal, unknownEmpresa } from '../rules/refusal.ts';
import type { Call } from './call.ts';
import type { Pkcs12Fault } from '../certificates/decryption.ts';
import { openPkcs12 } from '../certificates/pkcs12.ts';
import { type Form, type FormFault, largestPartBytes, largestPartCount, readForm } from '../http/multipart.ts';
import type { PathVariables } from '../rules/route.ts';
import { parseJsonObject } from '../http/json.ts';

/** A company in JSON has about 1 kB; parsed JSON takes many times its size in memory. */
const largestBodyBytes = 1024 * 1024;

/** Registers a company of the caller's integrator; refuses with all that is wrong with it. Section 4, endpoint 2. */
export function empresaRegistrationEndpoint(request: RequestFacts, call: Call): Reply {
  const { rules, state, caller } = call;
  if (request.rawBody.length > largestBodyBytes) return call.refuse(tooLarge);
  const body = parseJsonObject(request.rawBody);
  if (!body) return call.refuse(noObject);
  const read = readEmpresa(body, rules.empresaRegistration.isCnpj);
  if ('faults' in read) return call.refuse(...read.faults);
  const empresa = state.empresas.create(caller.integratorId, read.data);
  if (!empresa) return call.refuse(repeated(read.data.cnpj));
  const { status, empresaId, body: bodyOf } = rules.empresaRegistration;
  return { status, body: bodyOf(empresaId(empresa)) };
}

const tooLarge: Refusal = { code: 'SIM-EMPRESA-CORPO', message: 'O corpo da requisição é grande demais.' };
const noObject: Refusal = { code: 'SIM-EMPRESA-CORPO', message: 'O corpo deve ser um objeto JSON em UTF-8.' };

function repeated(cnpj: string): Refusal {
  return { code: 'SIM-EMPRESA-CNPJ-REPETIDO', message: `Este integrador já tem uma empresa com o cnpj ${cnpj}.` };
}

type EmpresaBody = FromSchema<typeof empresaSchema>;

/** The company that a registration body tells of, or all that is wrong with it: one fault for each field that is. */
export function readEmpresa(
  body: Readonly<Record<string, unknown>>,
  isNumber: (text: string) => boolean = isCnpj,
): { data: EmpresaData } | { faults: Refusal[] } {
  const isEmpresa = validator();
  const empresa = tidied(body, empresaSchema);
  if (isEmpresa(empresa) && isNumber(empresa.cnpj)) return { data: dataOf(empresa) };
  const faults = faultsByField(isEmpresa.errors, 'SIM-EMPRESA');
  const cnpj = String(body['cnpj']).trim();
  if (!faults.has('cnpj') && !isNumber(cnpj)) faults.set('cnpj', /[A-Z]/.test(cnpj) ? noDigits : wrongCheckDigits);
  return { faults: [...faults.values()] };
}

const wrongCheckDigits: Refusal = {
  code: 'SIM-EMPRESA-CNPJ-INVALIDO',
  message: 'cnpj deve ter os dígitos verificadores corretos',
};

const noDigits: Refusal = { code: 'SIM-EMPRESA-CAMPO-FORMATO', message: 'cnpj deve ter 14 dígitos' };

const validator = onFirstUse((): ValidateFunction<EmpresaBody> => {
  const ajv = new Ajv2020({ ...ownSchemas, allErrors: true, strict: true, strictTypes: false, verbose: true });
  return ajv.compile({ allOf: [empresaSchema, placeRules] });
});

function dataOf(body: EmpresaBody): EmpresaData {
  const { endereco, emissaoNFeProduto } = body;
  return {
    cnpj: body.cnpj,
    inscricaoEstadual: body.inscricaoEstadual,
    inscricaoMunicipal: body.inscricaoMunicipal ?? '',
    razaoSocial: body.razaoSocial,
    nomeFantasia: body.nomeFantasia ?? '',
    optanteSimplesNacional: body.optanteSimplesNacional ?? false,
    incentivadorCultural: body.incentivadorCultural ?? false,
    email: body.email,
    telefoneComercial: body.telefoneComercial ?? '',
    endereco: {
      pais: endereco.pais ?? 'Brasil',
      codigoIbgeUf: endereco.codigoIbgeUf,
      codigoIbgeCidade: endereco.codigoIbgeCidade,
      uf: endereco.uf,
      cidade: endereco.cidade,
      logradouro: endereco.logradouro,
      numero: endereco.numero,
      complemento: endereco.complemento ?? '',
      bairro: endereco.bairro,
      cep: endereco.cep,
    },
    emissaoNFeProduto: {
      ambienteProducao: numberingOf(emissaoNFeProduto?.ambienteProducao),
      ambienteHomologacao: numberingOf(emissaoNFeProduto?.ambienteHomologacao),
    },
  };
}

/** A series is kept as documents have it: without leading zeros. */
function numberingOf(numbering: { sequencialNFe?: number; serieNFe?: string } = {}): Numbering {
  const { sequencialNFe = 1, serieNFe = '1' } = numbering;
  return { sequencialNFe, serieNFe: String(Number(serieNFe)) };
}

const endereco = {
  type: 'object',
  required: ['codigoIbgeUf', 'codigoIbgeCidade', 'uf', 'cidade', 'logradouro', 'numero', 'bairro', 'cep'],
  properties: {
    pais: text(2, 60),
    codigoIbgeUf: { type: 'integer' },
    codigoIbgeCidade: { type: 'integer' },
    uf: oneOf(wordsOf(capitals)),
    cidade: text(2, 60),
    logradouro: text(2, 60),
    numero: text(1, 60),
    complemento: text(1, 60),
    bairro: text(2, 60),
    cep: form('^\\d{8}$', '8 dígitos'),
  },
} as const;

const numbering = {
  type: 'object',
  properties: {
    sequencialNFe: { type: 'integer', minimum: 1, maximum: 999_999_999 },
    serieNFe: form('^([0-7]?\\d{1,2}|8[0-8]\\d)$', 'um número de 0 a 889'),
  },
} as const;

/**
 * A company, in the field names that are usual among Brazilian gateways; the contract shows none of it (Section 2.7).
 * Fields that are not named here are ignored. Texts go into documents, so they are as the layout of these wants them.
 */
const empresaSchema = {
  type: 'object',
  required: ['cnpj', 'inscricaoEstadual', 'razaoSocial', 'email', 'endereco'],
  properties: {
    id: form('^$', 'valor nulo: aqui uma empresa é cadastrada, não alterada'),
    cnpj: form('^[0-9A-Z]{12}\\d{2}$', '14 dígitos'),
    inscricaoEstadual: form('^(ISENTO|\\d{2,14})$', 'de 2 a 14 dígitos, ou ISENTO'),
    inscricaoMunicipal: text(1, 15),
    razaoSocial: text(2, 60),
    nomeFantasia: text(1, 60),
    optanteSimplesNacional: { type: 'boolean' },
    incentivadorCultural: { type: 'boolean' },
    enviarEmailCliente: { type: 'boolean' },
    // No part of the pattern can match what the next one can: the time it takes grows no faster than the text.
    email: {
      ...text(3, 60),
      pattern: '^[!-?A-~]+@[!--/-?A-~]+(\\.[!--/-?A-~]+)+$',
      description: 'a forma de um endereço de e-mail',
    },
    telefoneComercial: form('^\\d{6,14}$', 'de 6 a 14 dígitos'),
    endereco,
    emissaoNFeProduto: {
      type: 'object',
      properties: { ambienteProducao: numbering, ambienteHomologacao: numbering },
    },
  },
} as const;

/** That the codes of the state and the city are those of the federative unit: it is another one, or they fit. */
const placeRules = {
  properties: {
    endereco: {
      allOf: wordsOf(capitals).map((uf) => ({
        anyOf: [{ not: { type: 'object', required: ['uf'], properties: { uf: { const: uf } } } }, codesOf(ufCode(uf))],
      })),
    },
  },
};

/** The code of a city has seven digits, the first two of them those of its state. */
function codesOf(ufCode: number): object {
  const codigoIbgeCidade = { minimum: ufCode * 100_000, maximum: ufCode * 100_000 + 99_999 };
  return { properties: { codigoIbgeUf: { enum: [ufCode] }, codigoIbgeCidade } };
}

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

/* What can be wrong with the upload of a certificate. Section 4, endpoint 3. */

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
