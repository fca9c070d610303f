import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { FromSchema } from 'json-schema-to-ts';
import { faultsByField } from '../issuance/content-fault.ts';
import { tidied } from '../issuance/tidy.ts';
import type { EmpresaData, Numbering } from '../model/empresa.ts';
import { ownSchemas } from '../../schemas/ajv-options.ts';
import { onFirstUse } from '../../schemas/on-first-use.ts';
import type { Refusal } from '../rules/refusal.ts';
import { isCnpj } from '../tax-numbers.ts';
import { empresaSchema, placeRules } from './empresa-schema.ts';

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
