import { firstFaultOfResults, isResults } from '../../schemas/stored.ts';
import { results as resultsSchema, type Results } from '../../schemas/results.ts';
import { ArgumentError } from '../command-line/argument-error.ts';
import { parsedOf, textIn } from './json-file.ts';

const format = resultsSchema.properties.format.const;

/** The results in a file. Throws an ArgumentError that repeats nothing of it, since the path may lead to secrets. */
export function readResultsFile(path: string): Results {
  return resultsOrRefused(path, parsedOf(path, textIn(path)));
}

/** What a file holds, if it is results. Throws an ArgumentError as `readResultsFile` does. */
export function resultsOrRefused(path: string, content: unknown): Results {
  if (isResults(content)) return content;
  throw new ArgumentError(`${path} ${whyNoResults(content)}`);
}

/** What keeps the content of a file from being results: the rest of a sentence that begins with its path, without values. */
function whyNoResults(content: unknown): string {
  const isOfFormat =
    typeof content === 'object' && content !== null && 'format' in content && content.format === format;
  if (!isOfFormat) return `is not a results.json of this suite (format ${format})`;
  return `breaks the schema of ${format}: ${firstFaultOfResults(content)}; npm run report -- --schema prints the schema`;
}
