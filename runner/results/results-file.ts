import { readFileSync } from 'node:fs';
import { firstFaultOfResults, isResults } from '../../schemas/is-results.ts';
import { results as resultsSchema, type Results } from '../../schemas/results.ts';
import { ArgumentError } from '../command-line/argument-error.ts';
import { fileErrorCode } from './file-error.ts';

const format = resultsSchema.properties.format.const;

/** The results in a file. Throws an ArgumentError that repeats nothing of it, since the path may lead to secrets. */
export function readResultsFile(path: string): Results {
  const content = jsonInFile(path);
  if (isResults(content)) return content;
  throw new ArgumentError(`${path} ${whyNoResults(content)}`);
}

/** What a file of JSON says; it may begin with a byte order mark. Throws an ArgumentError that repeats nothing of it. */
export function jsonInFile(path: string): unknown {
  const text = textIn(path);
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    throw new ArgumentError(`${path} is not JSON`);
  }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ArgumentError(`${path} can't be read (${fileErrorCode(error)})`);
  }
}

/** What keeps the content of a file from being results: the rest of a sentence that begins with its path, without values. */
function whyNoResults(content: unknown): string {
  const isOfFormat =
    typeof content === 'object' && content !== null && 'format' in content && content.format === format;
  if (!isOfFormat) return `is not a results.json of this suite (format ${format})`;
  return `breaks the schema of ${format}: ${firstFaultOfResults(content)}; npm run report -- --schema prints the schema`;
}
