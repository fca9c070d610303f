import { readFileSync } from 'node:fs';
import { signedCall, type SignedCall, type TestCall } from './call.ts';

/** A file of the default profile. */
export function profileFile(name: string): Buffer {
  return readFileSync(new URL(`../../profiles/default/${name}`, import.meta.url));
}

/** The password of the profile's certificates. */
export const certificatePassword = 'Kz8vQ2mXw4Rt';

/** A registration of the profile's company, or of another body; `parts` lays others over what is sent. */
export function registrationCall(
  token: string,
  body: string | Buffer = profileFile('empresa.json'),
  parts: Partial<SignedCall> = {},
): TestCall {
  const withoutLineBreaks = Buffer.from(body)
    .toString('latin1')
    .replaceAll(/[\r\n]/g, '');
  const signedBody = Buffer.from(withoutLineBreaks, 'latin1');
  return signedCall({ token, method: 'POST', target: '/openapi/v2/empresas', body, signedBody, ...parts });
}

const boundary = 'limite-de-teste';

/** A part of a form; with a `filename` it is a file. */
export interface TestPart {
  readonly name: string;
  readonly filename?: string;
  readonly content: string | Buffer;
}

/** The parts of an association as the profile has them. */
export const profileParts: readonly TestPart[] = [
  { name: 'arquivo', filename: 'certificado.pfx', content: profileFile('certificado.pfx') },
  { name: 'senha', content: certificatePassword },
];

/** An association of a certificate, signed with an empty body; `parts` lays others over what is sent. */
export function associationCall(
  token: string,
  empresaId: string,
  form: readonly TestPart[] = profileParts,
  parts: Partial<SignedCall> = {},
): TestCall {
  return signedCall({
    token,
    method: 'POST',
    target: `/openapi/v1/empresas/${empresaId}/certificadoDigital`,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    body: formBody(form),
    signedBody: '',
    ...parts,
  });
}

/** A multipart body with those parts, to its last boundary. */
export function formBody(form: readonly TestPart[]): Buffer {
  const parts = form.flatMap(({ name, filename, content }) => {
    const file = filename === undefined ? '' : `; filename="${filename}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')];
  });
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
}
