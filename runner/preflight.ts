import { codes } from '../contract/codes.ts';
import { endpoint } from '../contract/endpoints.ts';
import type { Call, Draft } from '../contract/request.ts';
import type { Trouble } from '../contract/trouble.ts';
import type { Exchange } from '../client/transport.ts';
import type { TargetAddress, Traffic } from '../targets/address.ts';
import { openControl } from '../targets/control.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { openTarget } from '../targets/target.ts';
import { isPage, pageAdvice, pageFound } from './html-page.ts';

/** Thrown where the target can't be tested at all; the message names the setting and what to do. */
export class TargetError extends Error {
  override readonly name = 'TargetError';
  readonly trouble: Trouble;

  constructor(message: string, trouble: Trouble) {
    super(message);
    this.trouble = trouble;
  }
}

/** Largest difference of clocks that leaves a margin of 5 s to the tolerance. */
const mostSkewSeconds = 295;

/**
 * Asks the target once whether it can be tested, before any check: it answers, it knows the application, its clock is near.
 * Gives its address with what was learned. Throws a TargetError otherwise.
 */
export async function preflight(address: TargetAddress, traffic: Traffic): Promise<TargetAddress> {
  const implementation = await implementationOf(address);
  const { exchange, skewSeconds } = await firstEcho(address, traffic);
  refuseUnfair(exchange, address, skewSeconds);
  const known = address.kind === 'embedded' ? 0 : wholeSeconds(skewSeconds);
  return {
    ...address,
    ...(implementation === undefined ? {} : { implementation }),
    clockSkewSeconds: known ?? 0,
    ...(known === undefined ? {} : { knownSkewSeconds: known }),
  };
}

/** A little less than none is none: `Math.round` would give -0, which a report shows as "-0 s". */
function wholeSeconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds) || 0;
}

async function implementationOf(address: TargetAddress): Promise<string | undefined> {
  if (!address.control) return undefined;
  const control = openControl(address.control, address.network);
  try {
    return await control.implementation();
  } catch (error) {
    if (!(error instanceof NotExercised)) throw error;
    throw new TargetError(`NFE_CONTROL_URL with NFE_CONTROL_TOKEN: ${error.message}`, 'settings');
  } finally {
    await control.close();
  }
}

async function firstEcho(
  address: TargetAddress,
  traffic: Traffic,
): Promise<{ exchange: Exchange; skewSeconds: number | undefined }> {
  const target = openTarget(address, traffic);
  try {
    const caller = await target.caller();
    const sentMs = Date.now();
    const exchange = await target.send(echoDraft(caller.appSecret, caller.now()));
    const serverMs = serverTimeOf(exchange);
    const ownMs = (sentMs + Date.now()) / 2;
    return { exchange, skewSeconds: serverMs === undefined ? undefined : (serverMs - ownMs) / 1000 };
  } catch (error) {
    if (!(error instanceof NotExercised)) throw error;
    throw new TargetError(`NFE_CONTROL_URL with NFE_CONTROL_TOKEN: ${error.message}`, 'settings');
  } finally {
    await target.close();
  }
}

function echoDraft(token: string, nowSeconds: number): Draft {
  const { method, path } = endpoint('echo');
  const rawBody = Buffer.from('{"message":"preflight"}');
  const call: Call = { method, path, contentType: 'application/json', rawBody };
  return { call, token, timestamp: String(nowSeconds) };
}

/** Epoch milliseconds by the target's clock: of `data.serverTime`, else of the `Date` header. */
function serverTimeOf({ response }: Exchange): number | undefined {
  const stated = /"serverTime"\s*:\s*"([^"]+)"/.exec(response?.rawBody.toString('utf8') ?? '')?.[1];
  const dated = response?.headers.find(([name]) => name.toLowerCase() === 'date')?.[1];
  return [stated, dated].map((text) => Date.parse(text ?? '')).find((time) => !Number.isNaN(time));
}

function refuseUnfair(exchange: Exchange, address: TargetAddress, skewSeconds: number | undefined): void {
  const { response, error } = exchange;
  const where = `NFE_BASE_URL: ${address.baseUrl}`;
  if (!response)
    throw new TargetError(
      `${where} can't be reached (${error}): check the address, the network and the proxy`,
      'network',
    );
  const { status } = response;
  if ([502, 503, 504].includes(status))
    throw new TargetError(`${where} is not available now (HTTP ${status}): try again later`, 'network');
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) {
    throw new TargetError(
      `${where} has no echo endpoint (HTTP ${status}): it takes the address up to where /openapi begins`,
      'settings',
    );
  }
  // With any other status it may be the error page of the framework that the service is built with: that is to be judged.
  if (status >= 200 && status < 300 && isPage(response)) {
    throw new TargetError(`${where} answers ${status} ${pageFound}; ${pageAdvice}`, 'settings');
  }
  if (skewSeconds !== undefined && Math.abs(skewSeconds) > mostSkewSeconds) {
    const by = `${Math.round(Math.abs(skewSeconds))} s ${skewSeconds > 0 ? 'ahead of' : 'behind'}`;
    throw new TargetError(`${where} has a clock ${by} this machine's: set the clock that is wrong`, 'target');
  }
  const code = /"code"\s*:\s*"?(\d+)/.exec(response.rawBody.toString('utf8'))?.[1];
  const refusal = Object.values(codes).find((known) => String(known.code) === code && known.status === status);
  if (refusal && (refusal.status === 403 || refusal.code === codes.tokenInvalid.code)) {
    throw new TargetError(
      `NFE_APP_SECRET: the target answers ${status} with ${refusal.code} (${refusal.meaning}): it takes the secret of an active application subscribed to everything`,
      'settings',
    );
  }
}
