import { xmlCall } from '../../generators/calls.ts';
import type { Caller } from '../../targets/applications.ts';
import { NotExercised } from '../../targets/not-exercised.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { gatheredOnce } from './gathered-once.ts';
import { isSuccess, issuerOf } from './life-cycle.ts';
import { settledOnce } from './read-only.ts';
import { jsonBody } from './reply.ts';
import type { Trial } from './trial.ts';
import { documentBehind } from './verification.ts';

/** What came of verifying the document of an own invoice. */
interface OwnVerification {
  readonly caller: Caller;
  readonly chave: string;
  readonly exchange: Exchange;
}

/** The document of an own, authorised invoice as it is verified: unlike the profile's it is surely known to the target. */
export const ownVerification = gatheredOnce('own verification', async (t: Trial): Promise<OwnVerification> => {
  const issuer = await issuerOf(t);
  const { caller } = issuer;
  const { document, chave } = await documentBehind(t, jsonBody((await settledOnce(t, issuer)).exchange));
  const { xmlContentType } = t.target.address;
  const exchange = await t.send(caller, xmlCall(document, xmlContentType));
  // The contract names no type of a document: a target may want the other one.
  const other = xmlContentType.startsWith('text/') ? 'application/xml' : 'text/xml';
  if (!isSuccess(exchange) && isSuccess(await t.send(caller, xmlCall(document, other))))
    throw new NotExercised(`documents are taken as ${other}: set NFE_XML_CONTENT_TYPE`, 'settings');
  return { caller, chave, exchange };
});
