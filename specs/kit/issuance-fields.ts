import { limits, type NfeOutcome } from '../../contract/values.ts';
import type { Call } from '../../contract/request.ts';
import { issuanceCall } from '../../generators/issuance.ts';
import { freshId } from '../../generators/nfe-ids.ts';
import { LeftOut } from '../../targets/not-exercised.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { bodyOf, fileEndingAs, issue, isSuccess, type Issuer, steerTo } from './life-cycle.ts';
import { summary } from './reply.ts';
import type { Trial } from './trial.ts';
import type { JsonObject, JsonValue } from '../../schemas/values.ts';

/** The fields of an issuance that a check chooses. */
interface ChosenFields {
  readonly id?: JsonValue;
  readonly ambienteEmissao?: JsonValue;
}

/** The issuance of the profile's invoice with these values in the named fields. Section 4.2. */
export function issuanceWith(
  t: Trial,
  { empresaId }: Issuer,
  { id, ambienteEmissao = 'Homologacao' }: ChosenFields,
): Call {
  return issuanceCall(empresaId, bodyOf(t, 'nf-e.autorizada.json'), { id, ambienteEmissao });
}

/** Sends the issuance of the profile's invoice with these values in the named fields. Section 4.2. */
export function sendWith(t: Trial, issuer: Issuer, fields: ChosenFields): Promise<Exchange> {
  return t.send(issuer.caller, issuanceWith(t, issuer, fields));
}

/** An invoice with so many characters in it besides, in a text that nobody reads and whoever stores the invoice keeps. */
export function enlarged(body: JsonObject, characters: number): JsonObject {
  return { ...body, observacaoInterna: 'x'.repeat(characters) };
}

/** Issues an invoice that takes 100 kB to store, or the invoice of the profile where none so large is taken; gives its id. */
export async function issueLarge(t: Trial, issuer: Issuer, outcome: NfeOutcome): Promise<string> {
  const file = fileEndingAs(outcome);
  const fields = { id: freshId(), ambienteEmissao: 'Homologacao' };
  await steerTo(t, issuer, outcome);
  const call = issuanceCall(issuer.empresaId, enlarged(bodyOf(t, file), 100_000), fields);
  return isSuccess(await t.send(issuer.caller, call)) ? fields.id : (await issue(t, issuer, { outcome })).nfeId;
}

/** An answer to a body that was sent in some way, or is large; throws a LeftOut where none is taken so. */
export function taken(exchange: Exchange): Exchange {
  const { status = 0 } = exchange.response ?? {};
  const isLarge = (exchange.request.rawBody?.length ?? 0) > limits.otherBodyBytes;
  if ([411, 413, 417, 501, ...(isLarge ? [400, 404] : [])].includes(status))
    throw new LeftOut(`no such body is taken: ${summary(exchange)}`);
  return exchange;
}
