import { type Exchange, jsonOf as jsonOfBody, quotedOf } from '../../trace/exchange.ts';
import { pathCall, xmlCall } from '../../generators/calls.ts';
import type { Call } from '../../contract/request.ts';
import { type SendCall, beforeBody } from '../../targets/empresa.ts';
import type { RegistryNumbers } from '../../targets/profile.ts';
import { member, type JsonObject } from '../../schemas/values.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TargetAddress } from '../../targets/address.ts';
import type { Caller, ClockedCaller } from '../../targets/applications.ts';
import { issuanceCall } from '../../generators/issuance.ts';

/** An issuance by a body of a profile, for Homologacao whatever the body says. Endpoint 5. */
export function homologationCall(empresaId: string, body: JsonObject, id: string): Call {
  return issuanceCall(empresaId, body, { id, ambienteEmissao: 'Homologacao' });
}

/** The answer to a query of an invoice once it no longer waits, or once time is up. Endpoint 6. */
export function settledQuery(send: SendCall, empresaId: string, nfeId: string, pause: Pause): Promise<Exchange> {
  return settled(() => send(pathCall('nfe-query', { empresaId, nfeId })), pause);
}

/** What the verification of a document came to. */
export interface Verified {
  readonly exchange: Exchange;
  /** `validation.validationStatus`. */
  readonly status: string | undefined;
  /** Whether that is one of the three verdicts. Section 3.2. */
  readonly isVerdict: boolean;
}

/** Has a document verified; one that is refused only as long as nobody asks for it to be verified anew is the profile's no fault. Endpoint 8. */
export async function verify(send: SendCall, contentType: string, document: Buffer): Promise<Verified> {
  const call = { ...xmlCall('', contentType), rawBody: document };
  const plain = await send(call);
  const exchange =
    classOf(plain) === 'refused' ? await send({ ...call, headers: [['forceRevalidate', 'true']] }) : plain;
  const status = memberText(exchange, 'validation', 'validationStatus');
  const isVerdict = status === 'VALIDATED' || status === 'REJECTED' || status === 'VALIDATION_ERROR';
  return { exchange, status, isVerdict };
}

/** Looks a company or a person up. Endpoints 10 and 11. */
export function lookUp(
  send: SendCall,
  name: 'cnpj-lookup' | 'cpf-lookup',
  { cnpj, cpf, nascimento }: RegistryNumbers,
): Promise<Exchange> {
  return send(pathCall(name, { cnpj, cpf, nascimento }));
}

/** What an answer to a part of a profile comes to: taken, refused for what it holds, or nothing that tells of the profile. */
export function classOf({ response }: Exchange): 'accepted' | 'refused' | 'broken' {
  const status = response?.status ?? 0;
  if (status >= 200 && status < 300) return 'accepted';
  return status >= 400 && status < 500 && !beforeBody.has(status) ? 'refused' : 'broken';
}

/** The text that stands in a JSON answer under these names, one in another; `undefined` where there is none. */
export function memberText(exchange: Exchange, ...names: readonly string[]): string | undefined {
  const value = member(jsonOf(exchange), ...names);
  return typeof value === 'string' ? value : undefined;
}

/** An answer with the start of its body: it is shortened further once it is masked. */
export function said({ response, error }: Exchange): string {
  if (!response) return `no response (${error ?? 'unknown reason'})`;
  const bodyText = quotedOf(response);
  return bodyText === '' ? `${response.status} without a body` : `${response.status}: ${bodyText}`;
}

/** The JSON value that an answer is; `undefined` for none. */
export function jsonOf({ response }: Exchange): unknown {
  return response && jsonOfBody(response);
}

/** Lets some time pass before a question is asked again: whether there was any left. */
export type Pause = () => Promise<boolean>;

/** How often in a row an answer without a state is asked for again: an invoice may show a little after its issuance. */
const mostBlanks = 3;

/** The first answer to a query that no longer says that the invoice waits; the last one when time is up. */
async function settled(query: () => Promise<Exchange>, pause: Pause): Promise<Exchange> {
  for (let blanks = 0; ;) {
    const exchange = await query();
    const status = memberText(exchange, 'status');
    if (status === undefined) blanks += 1;
    const isDone = status !== 'AguardandoAutorizacao' && (status !== undefined || blanks === mostBlanks);
    if (isDone || !(await pause())) return exchange;
  }
}

/** Longest pause between two questions. */
const longestPauseMs = 2_000;

/**
 * How time passes while an outcome is waited for: by the clock where it can be moved, else for as long as the settings say. `notePaused`
 * is told how many milliseconds have really passed.
 */
export function pauseOf(
  caller: Caller | ClockedCaller,
  { settleTimeoutSeconds }: TargetAddress,
  notePaused: (ms: number) => void = () => undefined,
): Pause {
  let [nextMs, leftMs] = [50, settleTimeoutSeconds * 1000];
  if ('advance' in caller) {
    return async () => {
      await caller.advance(0);
      leftMs -= longestPauseMs;
      return leftMs > 0;
    };
  }
  return async () => {
    if (leftMs <= 0) return false;
    const pauseMs = Math.min(nextMs, leftMs);
    await sleep(pauseMs);
    nextMs = Math.min(nextMs * 2, longestPauseMs);
    leftMs -= pauseMs;
    notePaused(settleTimeoutSeconds * 1000 - leftMs);
    return true;
  };
}
