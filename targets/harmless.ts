import { endpoint, endpointAt } from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import type { TargetAddress } from './address.ts';

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
  return mayLeaveNew(address, call) ? echoTwin : call;
}

const { method, path } = endpoint('echo');

/** A correct echo, which leaves nothing anywhere. */
export const echoTwin: Call = {
  method,
  path,
  contentType: 'application/json',
  rawBody: Buffer.from('{"message":"twin"}'),
};
