import { deliver, newEventId } from './deliveries.ts';
import { factsOf } from './documents.ts';
import { linkTo } from './links.ts';
import type { Invoice, World } from './world.ts';

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
