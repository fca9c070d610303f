import { describe, expect, test } from 'vitest';
import { codes } from '../../contract/values.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { signedRequest } from '../../client/sign.ts';
import type { Aim } from '../../trace/records.ts';
import { mayBeAsked } from './nodes.ts';

const control = { url: 'http://127.0.0.1:9', token: 't' };
const flawed: Aim = {
  clause: 'signature.mismatch-refused',
  faults: [{ name: 'signature mismatch', code: codes.signMismatch.code }],
};

interface Asked {
  readonly path: string;
  readonly status: number;
  readonly method?: string;
  readonly aim?: Aim;
  readonly isOfBurst?: true;
}

/** Whether it may be asked again at a sandbox, and where a control API makes applications. */
function asked({ path, status, method = 'POST', aim, isOfBurst }: Asked): readonly [boolean, boolean] {
  const call = { method, path };
  const request = signedRequest({ call, token: 't', timestamp: '1' });
  const response = { status, headers: [], rawBody: Buffer.alloc(0) };
  const exchange: Exchange = { request, response, durationMs: 1, ...(isOfBurst ? { isOfBurst } : {}) };
  const at = (address: Parameters<typeof mayBeAsked>[2]): boolean => mayBeAsked({ aim, exchange }, { call }, address);
  return [at({}), at({ control })];
}

const issuance = '/openapi/v2/empresas/e1/nf-e';

describe('what was answered wrong', () => {
  test.each<[string, Asked, readonly [boolean, boolean]]>([
    ['is asked again where it leaves nothing', { path: '/openapi/demo/echo', status: 200 }, [true, true]],
    [
      'is asked again where a retired path refuses it',
      { path: '/openapi/nfe/invoice/issue', status: 404 },
      [true, true],
    ],
    ['is not where a retired path takes it', { path: '/openapi/nfe/invoice/issue', status: 200 }, [false, false]],
    ['is not where it leaves something', { path: issuance, status: 200 }, [false, false]],
    [
      'is with its flaw alone, and only where that stays with an application of the check’s own',
      { path: issuance, status: 200, aim: flawed },
      [false, true],
    ],
    [
      'is not where it went wrong beside others',
      { path: '/openapi/demo/echo', status: 200, isOfBurst: true },
      [false, false],
    ],
  ])('%s', (_, request, expected) => {
    expect(asked(request)).toEqual(expected);
  });
});
