import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectSchemas } from '../generators/from-schema.ts';
import { ArgumentError, parsedOrRefused } from '../runner/command-line/argument-error.ts';
import { suiteFacts } from '../runner/run/run-facts.ts';

/** What `--help` prints. */
export const usage = `npm run schemas -- [--out DIR]

Writes the JSON Schema of every shape that the suite judges, or that its reports have: one file each, draft 2020-12, which
needs no other one. Without --out the names are listed.

  --out DIR   the folder to write to; made where there is none
  --help      print this`;

const usageLine = usage.split('\n', 1).join('');

/** What `npm run schemas` does; gives the exit status: 0. */
export async function run(words: readonly string[]): Promise<number> {
  const { out } = parsedOrRefused(() => parse(words), `usage: ${usageLine}`);
  if (out === '') throw new ArgumentError(`usage: ${usageLine}`);
  const schemas = (await projectSchemas()).toSorted(([one], [other]) => one.localeCompare(other));
  const lines =
    out === undefined ? schemas.map(([name]) => name) : schemas.map(([name, schema]) => written(out, name, schema));
  process.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

/** Writes a schema under an address of its own; gives the path of its file. */
function written(folder: string, name: string, schema: object): string {
  const path = join(folder, `${name}.json`);
  const published = {
    ...schema,
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:nfe-conformance:${suiteFacts().version}:${name}`,
  };
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `${JSON.stringify(published, null, 2)}\n`);
  return path;
}

function parse(args: readonly string[]): { out?: string } {
  return parseArgs({ args: [...args], options: { out: { type: 'string' } } }).values;
}
