import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { env, NotTried, type Call, type Story } from './kit.ts';
import { companies } from './profile.ts';

/**
 * The companies that an application of the run had before these steps, by their ids: what a step asked of them was answered, or is to
 * be, where the last one was wrongly refused.
 */
export function companiesHad({ steps, expected }: Story, application: string | undefined): string[] {
  const lastDue = /^accepted\b|^2\d\d\b/.test(expected) ? steps.at(-1) : undefined;
  const own = steps.filter((step): step is Call => step.kind === 'call' && step.application === application);
  const named = own.flatMap((step) => {
    const { request, response } = step.evidence;
    const isThere = response !== undefined && (response.status < 300 || step === lastDue);
    return isThere ? (/\/empresas\/([^/?]+)\//.exec(request.target)?.slice(1) ?? []) : [];
  });
  const registered = own.filter(({ evidence }) => evidence.request.target === registrations);
  return [...new Set(named)].filter(
    (id) => !registered.some(({ evidence }) => evidence.response?.body.text.includes(decodeURIComponent(id))),
  );
}

const registrations = '/openapi/v2/empresas';

/** How that company was registered before the first call of its application, and its certificate uploaded: the first one, or the second, of the profile. */
export function registrationOfCompany(first: Call, empresaId: string, at: number): [Call, Call] {
  const folder = env['NFE_PROFILE'];
  if (!folder) throw new NotTried('NFE_PROFILE is not set: the folder with the companies that the run had registered');
  const path = join(folder, companies[at]?.body ?? '');
  if (companies[at] === undefined || !existsSync(path))
    throw new NotTried(`NFE_PROFILE has no company in the place of ${empresaId}`);
  const call = (target: string, text: string, type: string): Call => ({
    kind: 'call',
    isSetUp: true,
    ...(first.application === undefined ? {} : { application: first.application }),
    ...(first.now === undefined ? {} : { now: first.now }),
    evidence: {
      at: 0,
      durationMs: 0,
      request: {
        method: 'POST',
        target,
        headers: [
          ['token', '$APP_SECRET'],
          ['timestamp', ''],
          ['sign', ''],
          ['content-type', type],
        ],
        body: { text, bytes: Buffer.byteLength(text), encoding: 'utf-8' },
      },
      response: { status: 200, headers: [], body: { text: empresaId, bytes: 0, encoding: 'utf-8' } },
    },
  });
  return [
    call(registrations, readFileSync(path, 'utf8'), 'application/json'),
    call(
      `/openapi/v1/empresas/${empresaId}/certificadoDigital`,
      '(an uploaded file, not shown)',
      'multipart/form-data',
    ),
  ];
}
