import { describe, expect, test } from 'vitest';
import { containerAddress, hostGateway, maskedLog, type ContainerWish } from './container.ts';

const wish: ContainerWish = {
  xmlContentType: 'application/xml',
  maxRps: 0,
  profile: { folder: 'profiles/default', files: [] },
  webhook: { listen: { host: '0.0.0.0', port: 0 }, headerPrefix: 'X-Service', isReachable: true },
  isSlow: false,
  settleTimeoutSeconds: 60,
};

describe('the address of the container', () => {
  const address = containerAddress(wish, 'http://localhost:4711', 't0ken');

  test('is its mapped port, for the contract and for the control API', () => {
    expect(address).toMatchObject({ kind: 'container', baseUrl: 'http://localhost:4711' });
    expect(address.control).toEqual({ url: 'http://localhost:4711', token: 't0ken' });
  });

  test('is our own, so an issuance for production may be sent', () => {
    expect(address.allowProducao).toBe(true);
  });

  test('has the receiver called through the gateway, by whichever port it takes', () => {
    expect(address.webhook).toEqual({ ...wish.webhook, publicHost: hostGateway });
  });

  test('has it called by the public address where one is set', () => {
    const webhook = { ...wish.webhook, publicUrl: 'https://hooks.example' };
    expect(containerAddress({ ...wish, webhook }, 'http://localhost:4711', 't0ken').webhook).toEqual(webhook);
  });
});

describe('the log of the container', () => {
  const log = 'control token  t0ken\nApp Secret     sec-ret\nfailed: sec-ret, other\n';

  test('shows neither the secrets of the run nor that of the application it prints', () => {
    const masked = maskedLog(log, new Map([['t0ken', '$NFE_CONTROL_TOKEN']]));
    expect(masked).toBe('control token  $NFE_CONTROL_TOKEN\nApp Secret     $APP_SECRET\nfailed: $APP_SECRET, other\n');
  });

  test('may be empty', () => {
    expect(maskedLog('', new Map())).toBe('');
  });
});
