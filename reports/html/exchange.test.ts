import { expect, test } from 'vitest';
import { exchangeDetails } from './exchange.ts';

test('a delivery shows what it was answered beyond a status', () => {
  const request = { method: 'POST', target: '/here', headers: [] };
  const came = { request, received: true as const, durationMs: 1, answered: 400 };
  const answeredWith = { headers: [['content-type', 'application/json']], body: '{"success":true}' };
  const page = exchangeDetails({ ...came, answeredWith }, 1, true, 'x').html;
  expect(page).toMatch(/Our answer.*HTTP 400.*application\/json.*success/s);
  expect(exchangeDetails(came, 1, true, 'x').html).not.toContain('Our answer');
});
