import { counted } from '../../reports/language.ts';
import { dayOf } from './certificates.ts';
import { ok, problem, warning, type Remark } from './finding.ts';

/** What a handshake came to: a connection to trust, or the error code of the system or of OpenSSL. */
export type Handshake =
  | { readonly protocol: string; readonly issuer: string; readonly validTo: Date }
  | { readonly error: string };

const leastDays = 14;
const dayMs = 86_400_000;

const trust = 'set NODE_EXTRA_CA_CERTS to a PEM file';

/** What is wrong with a certificate, and what to do about it, by the code that the handshake failed with. */
const certificateFaults: Readonly<Record<string, readonly [string, string]>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: ['is self-signed', `${trust} with that certificate, if you trust the server`],
  SELF_SIGNED_CERT_IN_CHAIN: [
    'comes from an authority that this machine does not know',
    `${trust} with the certificate of that authority (of your company's proxy, maybe)`,
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'comes from an authority that this machine does not know',
    `${trust} with the certificate of that authority (of your company's proxy, maybe)`,
  ],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'comes without its chain, or from an authority that this machine does not know',
    `have the server send its intermediate certificates, or ${trust} with them`,
  ],
  CERT_HAS_EXPIRED: ['has expired', "have it renewed; and see that this machine's date is right"],
  CERT_NOT_YET_VALID: ['is not valid yet', "see that this machine's date is right"],
  ERR_TLS_CERT_ALTNAME_INVALID: [
    'is for another host',
    'set NFE_BASE_URL to a host that it names; an IP address is seldom among them',
  ],
};

/** Judges the handshake with a host; `now` is when it took place. */
export function judgeHandshake(host: string, outcome: Handshake, now: Date): Remark {
  if ('error' in outcome) return judgeFailure(host, outcome.error);
  const days = Math.floor((outcome.validTo.getTime() - now.getTime()) / dayMs);
  const until = `the certificate of ${host} expires in ${counted(days, 'day')}, on ${dayOf(outcome.validTo)}`;
  if (days < leastDays) return warning('TLS', until, 'have it renewed in time');
  return ok('TLS', `${outcome.protocol}; ${until}; issued by ${outcome.issuer}`);
}

function judgeFailure(host: string, code: string): Remark {
  const fault = certificateFaults[code];
  if (fault) return problem('TLS', `the certificate of ${host} ${fault[0]} (${code})`, fault[1]);
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) {
    return problem(
      'TLS',
      `${host} does not speak TLS there (${code})`,
      'check the port, or use http:// in NFE_BASE_URL',
    );
  }
  return problem('TLS', `the handshake with ${host} failed (${code})`, 'check the network and what stands in between');
}
