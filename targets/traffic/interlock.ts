import { hash } from 'node:crypto';
import { endpointAt, type SideEffect, endpoint } from '../../contract/endpoints.ts';
import type { Exchange } from '../../trace/exchange.ts';
import type { Call } from '../../contract/request.ts';
import type { TargetAddress } from '../address.ts';
import { visit } from 'jsonc-parser';
import type { SignedRequest } from '../../client/sign.ts';
import { percentDecoded } from '../../trace/people/veil.ts';

/** What a request has left behind, by where it went and that it was answered with 2xx; `undefined` for nothing. Section 4. */
export function sideEffectOf({ request, response }: Exchange): SideEffect | undefined {
  const isAccepted = response !== undefined && response.status >= 200 && response.status < 300;
  return isAccepted ? endpointAt(request.method, request.target)?.leaves : undefined;
}

/** Whether what checks leave behind stays with somebody: with a control API they call as applications of their own. */
export function isKept({ control }: Pick<TargetAddress, 'control'>): boolean {
  return control === undefined;
}

/**
 * Whether a call, once the gateway lets it pass, may leave something new with somebody: a lenient server makes a company, an
 * address or an invoice of any body.
 */
export function mayLeaveNew(address: TargetAddress, { method, path }: Pick<Call, 'method' | 'path'>): boolean {
  return isKept(address) && endpointAt(method, path)?.makesNew === true;
}

/** What shows that an untouched call of its caller passes: the call itself, or a plain echo where it might leave something. */
export function twinOf(address: TargetAddress, call: Call): Call {
  return mayLeaveNew(address, call) ? tellingTwin(`${call.path} ${call.rawBody?.toString('latin1') ?? ''}`) : call;
}

const { method, path } = endpoint('echo');

function echoOf(message: string): Call {
  return { method, path, contentType: 'application/json', rawBody: Buffer.from(JSON.stringify({ message })) };
}

/** A correct echo, which leaves nothing anywhere. */
export const echoTwin: Call = echoOf('twin');

/** Texts that a service may take for something else than text, and that none refuses or signs otherwise. */
const telling = [
  'twin',
  '2026-02-28T23:30:00-03:00',
  '1.50',
  '007',
  '1e3',
  '12345678901234567890',
  'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11',
  '{"a":1.0}',
  '{0}',
];

/** A correct echo that says one of these texts, drawn by that one. Sections 2.5 and 4.1, endpoint 1. */
export function tellingTwin(drawnBy: string): Call {
  const [drawn = 0] = hash('sha256', drawnBy, 'buffer');
  return echoOf(telling[drawn % telling.length] ?? 'twin');
}

/** What a request means for production, as its bytes say. Section 4.1, endpoint 5. */
type ProductionRisk =
  /** It issues nothing, or in Homologacao only. */
  | { readonly kind: 'none' }
  /** It might issue an invoice elsewhere than in Homologacao, for the reason given. */
  | { readonly kind: 'possible'; readonly why: string };

/**
 * Judges the bytes that are about to leave, whoever made them. A body that goes to an issuance path is harmless only if it is
 * a JSON object with exactly one `ambienteEmissao`, and that is `Homologacao` (receivers differ in which of two equal keys
 * they heed, and an escaped letter is still that letter), or a scrap in which nobody can read an invoice.
 */
export function productionRisk(request: Pick<SignedRequest, 'method' | 'target' | 'rawBody'>): ProductionRisk {
  if (!isIssuance(request.method, request.target)) return { kind: 'none' };
  const rawBody = request.rawBody ?? Buffer.alloc(0);
  if (isNothing(rawBody.toString('utf8'))) return { kind: 'none' };
  const found = ambientesOf(rawBody);
  if (found === undefined) return possible('its body is no JSON object');
  if (found.length !== 1) return possible(`its body has ${found.length} fields ambienteEmissao, not one`);
  return found[0] === 'Homologacao' ? { kind: 'none' } : possible('its ambienteEmissao is not Homologacao');
}

function possible(why: string): ProductionRisk {
  return { kind: 'possible', why };
}

/** Issuance, today's or the retired one; generous, since a server may take a path that is only nearly right. */
function isIssuance(method: string, target: string): boolean {
  if (['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method.toUpperCase())) return false;
  const path = percentDecoded(target.split('?')[0] ?? '').toLowerCase();
  return /\/empresas\/[^/]*\/+nf-?e\/*$/.test(path) || /\/nfe\/invoice\/create\/*$/.test(path);
}

/** Longest body that holds no invoice, however it is read: the content of one takes more. */
const longestNothing = 64;

/** Whether nobody can read an invoice in a text: it is short, closes no object, and names no environment in any spelling. */
function isNothing(bodyText: string): boolean {
  return bodyText.length <= longestNothing && !/[}\\]|produ/i.test(bodyText);
}

/** The values of all top-level fields `ambienteEmissao`, in any letter case; `undefined` where the body is no JSON object. */
function ambientesOf(rawBody: Buffer): unknown[] | undefined {
  const found: unknown[] = [];
  let depth = 0;
  let isObject = false;
  let isBroken = false;
  let isAmbiente = false;
  visit(
    rawBody.toString('utf8'),
    {
      onObjectBegin: () => {
        if (depth === 0) isObject = true;
        if (isAmbiente) found.push({});
        isAmbiente = false;
        depth += 1;
      },
      onObjectEnd: () => void (depth -= 1),
      onArrayBegin: () => {
        if (isAmbiente) found.push([]);
        isAmbiente = false;
        depth += 1;
      },
      onArrayEnd: () => void (depth -= 1),
      onObjectProperty: (name) => void (isAmbiente = depth === 1 && name.toLowerCase() === 'ambienteemissao'),
      onLiteralValue: (value: unknown) => {
        if (isAmbiente) found.push(value);
        isAmbiente = false;
      },
      onError: () => void (isBroken = true),
    },
    { disallowComments: true, allowTrailingComma: false },
  );
  return isObject && !isBroken ? found : undefined;
}
