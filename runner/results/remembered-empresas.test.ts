import { appendFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { foreignAddress } from '../../targets/testing/server.ts';
import { readSettings } from '../settings/settings.ts';
import { newFolder } from '../testing/folders.ts';
import { empresaMemoryAt } from './remembered-empresas.ts';

const address = foreignAddress('http://127.0.0.1:9');
const body = { cnpj: '99999991000125', razaoSocial: 'Ana Souza ME' };

/** A memory beside the reports of a folder. */
const memoryIn = (reportDir: string, at = address) =>
  empresaMemoryAt(readSettings({ NFE_BASE_URL: at.baseUrl, NFE_APP_SECRET: 's3cr3t', NFE_REPORT_DIR: reportDir }), at);

test('the company that was registered last with a body is known to later runs at that address alone', () => {
  const folder = newFolder();
  for (const id of ['E-1', 'E-2']) memoryIn(folder)?.keep(body, id);
  expect(memoryIn(folder)?.recall(body)).toBe('E-2');
  expect(memoryIn(folder)?.recall({ ...body, cnpj: '99999992000170' })).toBeUndefined();
  expect(memoryIn(folder, foreignAddress('http://127.0.0.1:10'))?.recall(body)).toBeUndefined();
});

test('a company that gets the same id each time is kept once', () => {
  const folder = newFolder();
  for (const id of ['E-1', 'E-1', 'E-2']) memoryIn(folder)?.keep(body, id);
  expect(readFileSync(join(folder, 'empresas.jsonl'), 'utf8').match(/E-\d/g)).toEqual(['E-1', 'E-2']);
});

test('the file is its owner’s, and tells of nobody', () => {
  const folder = newFolder();
  memoryIn(folder)?.keep(body, 'E-1');
  const path = join(folder, 'empresas.jsonl');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  memoryIn(folder)?.keep(body, 'E-s3cr3t');
  expect(readFileSync(path, 'utf8')).not.toMatch(/99999991000125|Ana|s3cr3t/);
});

test('lines that are none are passed over; a folder that can not be written costs nothing', () => {
  const folder = newFolder();
  memoryIn(folder)?.keep(body, 'E-1');
  appendFileSync(join(folder, 'empresas.jsonl'), '{"baseUrl":\n[]\n');
  expect(memoryIn(folder)?.recall(body)).toBe('E-1');
  const file = join(folder, 'a-file');
  writeFileSync(file, '');
  memoryIn(file)?.keep(body, 'E-1');
  expect(memoryIn(file)?.recall(body)).toBeUndefined();
});

test('a simulator that a run starts itself, and one with a control API, remember nothing', () => {
  expect(memoryIn(newFolder(), { ...address, kind: 'embedded' })).toBeUndefined();
  expect(memoryIn(newFolder(), { ...address, control: { url: 'http://127.0.0.1:9', token: 't' } })).toBeUndefined();
});
