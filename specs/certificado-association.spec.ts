import type { Exchange } from '../trace/exchange.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { bodyRefused, summary } from './kit/reply.ts';
import { check } from './kit/check.ts';
import {
  certifyAnew,
  empresaOf,
  isSuccess,
  issuerOf,
  rotated,
  sendCertificateAnew,
  withEmpresa,
} from './kit/life-cycle.ts';
import type { Trial } from './kit/trial.ts';

/** The answer to the upload of a certificate, whatever it is. */
async function uploaded(t: Trial): Promise<Exchange> {
  const { association, refusal } = await empresaOf(t, await t.caller());
  if (!association) throw new NotExercised(refusal ?? 'no certificate was uploaded in this run');
  t.recall(association);
  return association;
}

/** Uploads one; the profile's certificate may not suit a target. */
async function uploads(t: Trial): Promise<void> {
  const exchange = await uploaded(t);
  if (isSuccess(exchange)) return;
  throw bodyRefused("the profile's certificado.pfx", exchange);
}

/** What a target may say of a certificate that does not suit it, rather than of the way it was uploaded. */
const dislikes = new Set([400, 404, 409, 413, 422]);

check(
  'certificado-association.multipart-upload',
  'a multipart upload of a certificate, signed with an empty body, is taken',
  async (t) => {
    const exchange = await uploaded(t);
    const status = exchange.response?.status ?? 0;
    if (dislikes.has(status) && !t.target.address.control) await uploads(t);
    t.holds(isSuccess(exchange), {
      expected: 'the certificate accepted',
      actual: summary(exchange),
      ...(status === 401 ? { hint: 'the multipart body is signed, or taken for signed' } : {}),
    });
  },
);

check(
  'certificado-association.multipart-upload',
  'a certificate is taken after a rotation, too, where it was taken before for the same company',
  async (t) => {
    const before = await withEmpresa(t, await t.target.clockedCaller());
    await certifyAnew(t, before);
    const exchange = await sendCertificateAnew(t, await rotated(t, before));
    t.holds(isSuccess(exchange), { expected: 'accepted, as it was before', actual: summary(exchange) });
  },
  { needs: ['rotation', 'movable-clock'] },
);

check('certificado-association.bare', 'the answer to an association has no platform envelope', uploads);

check('certificado-association.status-200', 'an association is answered with 200', uploads);

check(
  'certificado-association.status-200',
  'an association with a company that has a certificate, where it is taken, is answered with 200',
  async (t) => {
    await certifyAnew(t, await issuerOf(t));
  },
  { needs: ['chosen-application'] },
);
