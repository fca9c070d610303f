import { xmlCall } from '../../generators/calls.ts';
import type { Caller } from '../../targets/applications.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { gatheredOnce } from './gathered-once.ts';
import { issuerOf } from './life-cycle.ts';
import { settledOnce } from './read-only.ts';
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
  const { document, chave } = await documentBehind(t, (await settledOnce(t, issuer)).exchange);
  const exchange = await t.send(caller, xmlCall(document, t.target.address.xmlContentType));
  return { caller, chave, exchange };
});
