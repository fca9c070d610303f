import { openPkcs12 } from '../certificates/pkcs12.ts';
import { readEmpresa } from '../endpoints/empresa-body.ts';
import { parseJsonObject } from '../http/json.ts';
import type { Certificate, Empresa, EmpresaData } from '../model/empresa.ts';
import { certificatePassword, profileFile } from './empresas.ts';

/** The company of the default profile with its certificate, some of its data replaced. */
export function profileEmpresa(data: Partial<EmpresaData> = {}): Empresa & { readonly certificate: Certificate } {
  const profile = readEmpresa(parseJsonObject(profileFile('empresa.json')) ?? {});
  if ('faults' in profile) throw new Error("the default profile's company is faulty");
  return { empresaId: 'E1', integratorId: 'I1', data: { ...profile.data, ...data }, certificate };
}

const certificate = openedCertificate();

function openedCertificate(): Certificate {
  const opened = openPkcs12(profileFile('certificado.pfx'), certificatePassword);
  if ('fault' in opened) throw new Error(`the certificate of the default profile cannot be opened: ${opened.fault}`);
  return opened.certificate;
}
