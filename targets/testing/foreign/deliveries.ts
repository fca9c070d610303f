import { randomBytes } from 'node:crypto';
import { asciiJson, deliverySignature } from './gateway.ts';
import type { World, Invoice } from './world.ts';
import { factsOf, linkTo } from './documents.ts';

/** Something that is told to a receiver, until it acknowledges it. */
interface Delivery {
  readonly url: string;
  readonly eventType: string;
  readonly eventId: string;
  readonly body: unknown;
  readonly secret: string;
  /** Only callbacks have one. Section 6.1. */
  readonly token?: string;
  /** Asked before each attempt: whether this receiver is still to be called. */
  readonly isWanted?: () => boolean;
  /** Told how each attempt ended. */
  readonly onEnd?: (isAcknowledged: boolean) => void;
}

/** An id that no other event has. */
export function newEventId(): string {
  return `evt.${randomBytes(15).toString('base64url')}`;
}

const minute = 60_000;

/** When an event is tried again, counted from its first attempt. Section 6.4. */
const retryDelaysMs = [minute, 5 * minute, 30 * minute, 120 * minute, 360 * minute];

/** Tries at once, and again on the ladder counted from now while it is not acknowledged. Whether the first was. Section 6.4. */
export async function deliver(delivery: Delivery, world: World): Promise<boolean> {
  const firstMs = world.nowMs();
  const tryFrom = async (retry: number): Promise<boolean> => {
    if (delivery.isWanted?.() === false) return false;
    const isAcknowledged = await attempt(delivery, world);
    delivery.onEnd?.(isAcknowledged);
    const delayMs = retryDelaysMs[retry];
    if (!isAcknowledged && delayMs !== undefined) {
      world.later(Math.max(0, firstMs + delayMs - world.nowMs()), () => void tryFrom(retry + 1));
    }
    return isAcknowledged;
  };
  const isAcknowledged = await tryFrom(0);
  if (isAcknowledged && world.settings.isDoubling) await attempt(delivery, world);
  return isAcknowledged;
}

const receiverTimeoutMs = 10_000;

/** One POST. Redirects are not followed; whatever is no 2xx, and whatever breaks, is no acknowledgement. Section 6.3. */
export async function attempt(delivery: Delivery, world: World): Promise<boolean> {
  const { url, eventType, eventId, body, secret, token } = delivery;
  const rawBody = Buffer.from(`${asciiJson(body, 2)}\n`);
  const timestamp = String(Math.floor(world.nowMs() / 1000));
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(receiverTimeoutMs),
      headers: {
        'content-type': 'application/vnd.nfe+json',
        'x-service-event': eventType,
        'x-service-event-id': eventId,
        'x-service-delivery-id': randomBytes(6).toString('hex'),
        'x-service-timestamp': timestamp,
        'x-service-signature': deliverySignature(secret, timestamp, rawBody),
        ...(token === undefined ? {} : { token }),
      },
      body: rawBody,
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

/** After so many failures in a row nothing more is sent, until the address is registered again. */
const breakerThreshold = 6;

/** Tells the issuer how an invoice ended, where it wants to hear. Section 6. */
export async function deliverCallback(invoice: Invoice, world: World): Promise<void> {
  const { owner } = invoice.company;
  const { callback } = owner;
  if (!callback) return;
  await deliver(
    {
      url: callback.url,
      token: callback.token,
      secret: owner.secret,
      eventType: 'nfe.resultado',
      eventId: newEventId(),
      body: resultOf(invoice, world),
      isWanted: () => callback.failures < breakerThreshold && owner.callback === callback,
      onEnd: (isAcknowledged) => void (callback.failures = isAcknowledged ? 0 : callback.failures + 1),
    },
    world,
  );
}

/** The fourteen fields, and one more. A denied invoice has no number here. Section 2.3. */
function resultOf(invoice: Invoice, world: World): Readonly<Record<string, string>> {
  const { id, company, status, number, chave, issuedMs, settledMs = issuedMs } = invoice;
  const isDenied = status === 'Negada';
  const whenAuthorised = (text: () => string): string => (isDenied ? '' : text());
  return {
    requestId: newEventId(),
    nfeDigestValue: '',
    nfeNumeroProtocolo: whenAuthorised(() => factsOf(invoice).protocol),
    nfeDataAutorizacao: whenAuthorised(() => new Date(settledMs).toUTCString()),
    nfeDataEmissao: whenAuthorised(() => new Date(issuedMs).toISOString().replace('Z', '000+00:00')),
    nfeChaveAcesso: whenAuthorised(() => chave),
    nfeSerie: whenAuthorised(() => '007'),
    nfeNumero: whenAuthorised(() => String(number).padStart(9, '0')),
    nfeLinkXml: whenAuthorised(() => linkTo(invoice, 'xml', world)),
    nfeLinkDanfe: '',
    nfeMotivoStatus: isDenied ? 'Uso denegado: irregularidade fiscal do destinatário [cStat 302]' : '',
    nfeStatus: isDenied ? 'Negada' : 'Autorizada',
    nfeId: id,
    empresaId: company.id,
    tipo: 'NF-e',
  };
}
