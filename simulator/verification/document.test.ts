import { diag } from 'libxml2-wasm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { profileXml } from '../testing/verifier.ts';
import { readDocument } from './document.ts';

beforeEach(() => diag.configure({ enabled: true }));
afterEach(() => diag.configure({ enabled: false }));

test.each([
  ['an invoice', profileXml('autorizada')],
  ['no invoice', '<a/>'],
  ['an invoice without a canonical form', profileXml('autorizada').replace('<emit>', '<emit xmlns:a="b">')],
])('the memory of a document is freed after %s', (_, xml) => {
  readDocument(xml);
  expect(diag.report()).toEqual({});
});
