import { createHmac } from 'node:crypto';
import { referenceRules } from '../simulator/rules/rules.ts';
import { webhookSignatureRules, type WebhookSignatureRules } from '../simulator/rules/webhook-signature.ts';
import { also, firstOf, mutant, type Mutant } from './mutant.ts';
import type { Outgoing } from '../simulator/model.ts';
import { member } from '../schemas/values.ts';

const { key, encode, signedBytes } = webhookSignatureRules;

function signing(what: string, breaks: Mutant['breaks'], change: Partial<WebhookSignatureRules>): Mutant {
  return mutant(`webhook-signature.${what}`, breaks, 'webhookSignature', change);
}

/** Other bytes are hashed. */
function hashing(what: string, bytes: (timestamp: string, bodyText: string) => string): Mutant {
  return signing(what, ['webhook-signature.hmac-of-timestamp-and-body', 'webhook-signature.every-delivery'], {
    signedBytes: (timestamp, rawBody) => Buffer.from(bytes(timestamp, rawBody.toString('utf8'))),
  });
}

/** An event keeps the secret that was valid at its first attempt. */
function keyOfFirstAttempt(): Partial<WebhookSignatureRules> {
  const first = firstOf<string>();
  return { key: (secrets, outgoing) => first(outgoing.eventId, key(secrets, outgoing)) };
}

/** The first secret for all addresses of an application but that which got an event first. */
function keyOfSecondAddress(): WebhookSignatureRules['key'] {
  const first = firstOf<string>();
  return (secrets, outgoing) => {
    const { appKey, channel, url } = outgoing;
    return first(`${appKey} ${channel}`, url) === url ? key(secrets, outgoing) : (secrets[0] ?? '');
  };
}

/** The secret of an application's first rotation, which no later one replaces where it signs. */
function firstRotationOnly(): Mutant {
  const signing = new Map<string, string>();
  const { token } = referenceRules;
  const delivery = renewed('second-rotation-forgotten', {
    key(secrets, outgoing) {
      const right = key(secrets, outgoing);
      return signing.get(right) ?? right;
    },
  });
  return also(delivery, 'token', {
    secretsAfterRotation(old, fresh) {
      signing.set(fresh, signing.get(old.at(-1) ?? '') ?? fresh);
      return token.secretsAfterRotation(old, fresh);
    },
  });
}

/** What stands in a delivery in that place. */
function told({ rawBody }: Outgoing, ...path: readonly string[]): unknown {
  const json: unknown = JSON.parse(rawBody.toString('utf8'));
  return member(json, ...path);
}

/** Signs otherwise where the secret was rotated. */
function renewed(what: string, change: Partial<WebhookSignatureRules>, ...more: Mutant['breaks']): Mutant {
  return signing(what, ['webhook-signature.new-secret-after-rotation', ...more], change);
}

/** Keeps the old secrets of an application, the oldest first, and takes them. */
function keeping(mutant: Mutant): Mutant {
  const breaks = [...mutant.breaks, 'token.rotated-refused'] as const;
  return also({ ...mutant, breaks }, 'token', { secretsAfterRotation: (old, fresh) => [...old, fresh] });
}

/** Signs with the first secret what is of one class. */
function oldSecretFor(what: string, isOf: (outgoing: Outgoing) => boolean): Mutant {
  return keeping(
    renewed(`old-secret-for-${what}`, {
      key: (secrets, outgoing) => (isOf(outgoing) ? (secrets[0] ?? '') : key(secrets, outgoing)),
    }),
  );
}

const isDenial = (outgoing: Outgoing): boolean => told(outgoing, 'nfeStatus') === 'Negada';
const isRejection = (outgoing: Outgoing): boolean => told(outgoing, 'data', 'validationStatus') === 'REJECTED';

/** Wrong signatures. */
export const webhookSignatureMutants: readonly Mutant[] = [
  signing('key-is-token', ['webhook-signature.key', 'webhook-signature.every-delivery'], {
    key: (secrets, outgoing) => outgoing.token ?? key(secrets, outgoing),
  }),
  signing('key-is-app-key', ['webhook-signature.key', 'webhook-signature.every-delivery'], {
    key: (_, { appKey }) => appKey,
  }),
  signing('in-capitals', ['webhook-signature.lowercase-hex', 'webhook-signature.every-delivery'], {
    encode: (digest) => encode(digest).toUpperCase(),
  }),
  signing('in-base64', ['webhook-signature.hmac-of-timestamp-and-body'], {
    encode: (digest) => digest.toString('base64'),
  }),
  signing('bytes-without-their-zeros', ['webhook-signature.hmac-of-timestamp-and-body'], {
    encode: (digest) => encode(digest).replaceAll(/0(.)|(..)/g, '$1$2'),
  }),
  signing('prefixed', ['webhook-signature.hmac-of-timestamp-and-body'], {
    encode: (digest) => `sha256=${encode(digest)}`,
  }),
  signing('sha1', ['webhook-signature.hmac-of-timestamp-and-body'], { algorithm: 'sha1' }),
  signing('sha512', ['webhook-signature.hmac-of-timestamp-and-body'], { algorithm: 'sha512' }),
  hashing('of-body-alone', (_, body) => body),
  hashing('without-dot', (timestamp, body) => timestamp + body),
  hashing('with-colon', (timestamp, body) => `${timestamp}:${body}`),
  hashing('body-first', (timestamp, body) => `${body}.${timestamp}`),
  hashing(
    'of-body-written-anew',
    (timestamp, body) => `${timestamp}.${JSON.stringify(JSON.parse(body), undefined, 1)}`,
  ),
  signing('of-another-key', ['webhook-signature.hmac-of-timestamp-and-body'], {
    key: (secrets, outgoing) => createHmac('md5', 'x').update(key(secrets, outgoing)).digest('hex'),
  }),
  signing('verdicts-unsigned', ['webhook-signature.every-delivery'], {
    key: (secrets, outgoing) => (outgoing.channel === 'verification' ? '' : key(secrets, outgoing)),
  }),
  signing('stale-on-retry', ['webhook-signature.fresh-on-retry'], {
    signedBytes: (_, rawBody, outgoing) =>
      signedBytes(String(Math.floor(outgoing.createdMs / 1000)), rawBody, outgoing),
  }),
  keeping(renewed('old-secret', { key: (secrets) => secrets[0] ?? '' }, 'webhook-signature.new-secret-on-retries')),
  keeping(renewed('old-secret-at-the-second-address', { key: keyOfSecondAddress() })),
  firstRotationOnly(),
  signing('old-secret-on-retries', ['webhook-signature.new-secret-on-retries'], keyOfFirstAttempt()),
  oldSecretFor('denials', isDenial),
  oldSecretFor('rejections', isRejection),
  oldSecretFor('tests', ({ eventType }) => eventType === 'webhook.verify'),
];
