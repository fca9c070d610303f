import type { ExchangeEvidence } from '../../schemas/results.ts';
import type { Signing } from '../../schemas/evidence.ts';
import type { ScriptFacts } from './script-facts.ts';
import { commentText } from './code.ts';
import { hiddenNames, maskedData, needsSecret, ownSecrets, variableOf } from './names.ts';

/** The comment that a script begins with: what it sends, what it needs, and what it can't do. */
export function scriptNotes({ request }: ExchangeEvidence, signing: Signing, facts: ScriptFacts): string[] {
  const { clause, replay, baseUrl } = facts;
  const names = [...(needsSecret(request, signing) ? [signing.secret] : []), ...hiddenNames(signing)];
  const variables = new Set(names.map(variableOf));
  const command = replay ?? `npm test -- --clause ${clause}`;
  return [
    `One request of a conformance run, signed anew: ${request.method} ${request.target}, clause ${clause}.`,
    `The whole check: ${command}`,
    ...(facts.story ?? []),
    'Run it by `node repeat.mjs` (Node 18 or later) with these variables in the environment:',
    ...[...variables].map((name) => `  ${name}: what the report shows as ${standsOf(name, names)}`),
    `  NFE_BASE_URL: the server's address, where it is not ${baseUrl}`,
    'It ends with 1 where the answer is not the one that is due, with 0 where it is, with 2 where that could not be told.',
    "The timestamp follows this machine's clock.",
    ...(names.some((name) => ownSecrets.includes(name)) ? ownApplication : []),
    ...tokenNotes(signing),
    ...signNotes(signing, command),
    ...dataNotes(signing),
  ].map((line) => `// ${commentText(line)}`);
}

/** How the report writes what that variable is to hold. */
function standsOf(variable: string, names: readonly string[]): string {
  return [...new Set(names.filter((name) => variableOf(name) === variable))].join(' or ');
}

const ownApplication = [
  'In the run the suite had made the application itself. With NFE_CONTROL_URL and NFE_CONTROL_TOKEN in place of NFE_APP_SECRET the',
  'script makes one in the same condition; without a control API give the secret of one that is: disabled, for instance, or',
  'without a subscription, where the clause speaks of that.',
];

function tokenNotes({ token }: Signing): string[] {
  return 'madeUp' in token
    ? [`The token is a made-up text: the report hides that of the run (${token.madeUp} characters).`]
    : [];
}

function signNotes({ digest }: Signing, command: string): string[] {
  return digest
    ? []
    : [`The sign is the text of the run, not computed anew. If it was computed, repeat the check: ${command}`];
}

function dataNotes(signing: Signing): string[] {
  const names = maskedData(signing);
  const [first] = names;
  if (first === undefined) return [];
  return [
    `The report masks personal data or link tokens in this request: ${names.join(', ')}.`,
    'They are sent as they stand here, unless the environment has a value of that name, spelt as the request spells it:',
    `that of ${first.slice(1)} takes the place of every ${first}. The script says which it sends.`,
    ...maskedMeaning(signing),
  ];
}

/** What it means for the answer that masked data are not sent as in the run, a sentence a line. */
export function maskedMeaning({ digest }: Signing): string[] {
  return [
    ...(digest ? ['The sign is computed over what is sent, so an answer about the signature is a fair repeat.'] : []),
    'An answer that depends on the masked data may differ from that of the run; only the whole check sends the data.',
  ];
}
