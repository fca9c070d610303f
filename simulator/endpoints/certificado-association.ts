import { openPkcs12 } from '../certificates/pkcs12.ts';
import { readForm, type Form } from '../http/multipart.ts';
import type { PathVariables } from '../http/path.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import type { Certificate } from '../model/empresa.ts';
import { unknownEmpresa, type Refusal } from '../rules/refusal.ts';
import type { Call } from './call.ts';
import {
  emptyFile,
  formFaults,
  missingFile,
  missingPassword,
  pkcs12Faults,
  uploadTooLarge,
} from './certificado-faults.ts';

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
