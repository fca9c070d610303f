import type { Sought } from './canaries.ts';

/**
 * Whether anything of what is sought stands in a text, as it is or under escapes, base64 and hexadecimal; gives that which does, with
 * what stands around it. It knows nothing of how the suite itself looks for secrets.
 */
export function foundIn(text: string, all: readonly Sought[]): string[] {
  const parts = new Map<string, string>();
  const wholes: string[] = [];
  const people: string[] = [];
  for (const sought of all) {
    if (sought.by === 'whole') wholes.push(sought.secret.toLowerCase());
    else if (sought.by === 'person') people.push(squeezed(sought.telling));
    else for (const part of partsOf(sought.secret)) parts.set(part, sought.secret);
  }
  const found = new Set<string>();
  for (const reading of readings(text)) {
    const lower = reading.toLowerCase();
    for (const one of [lower, unbroken(lower)]) {
      for (let at = 0; at + least <= one.length; at += 1) {
        const part = one.slice(at, at + least);
        if (parts.has(part)) found.add(`a part of a secret: ${around(one, at)}`);
      }
      for (const whole of wholes) if (one.includes(whole)) found.add(`a token: ${around(one, one.indexOf(whole))}`);
    }
    const letters = squeezed(reading);
    for (const telling of people)
      if (letters.includes(telling)) found.add(`a person: ${around(letters, letters.indexOf(telling))}`);
  }
  return [...found].slice(0, mostTold);
}

const mostTold = 10;

/** So many characters of a secret tell. */
const least = 8;

function partsOf(secret: string): string[] {
  const lower = secret.toLowerCase();
  return [lower, unbroken(lower)].flatMap((text) =>
    Array.from({ length: Math.max(0, text.length - least + 1) }, (_, at) => text.slice(at, at + least)),
  );
}

/** Without white space, quotes, and what joins two quoted texts. */
function unbroken(text: string): string {
  return text.replaceAll(/["'`]\s*\+\s*["'`]/g, '').replaceAll(/[\s"'`\\\0]/g, '');
}

function around(text: string, at: number): string {
  return JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
}

/** Letters and digits only, without accents: `Jo&atilde;o` and `JOÃO`, `390.533` and `390533`. */
function squeezed(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** How many layers are taken off. */
const layers = 4;

/** The text, what it is without its escapes, and what the codes in it stand for. */
function readings(text: string, depth = 0): string[] {
  const peeled = [text];
  for (let last = text; peeled.length <= layers;) {
    const next = unescaped(last);
    if (next === last) break;
    peeled.push(next);
    last = next;
  }
  if (depth >= 2) return peeled;
  const inner = decodings(peeled.at(-1) ?? text);
  return [...peeled, ...inner.flatMap((one) => readings(one, depth + 1))];
}

const names: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
  lowbar: '_',
  atilde: 'a',
  nbsp: ' ',
};

function unescaped(text: string): string {
  const unit = (digits: string, base: number): string => String.fromCharCode(Number.parseInt(digits, base) % 0x1_0000);
  return text
    .replaceAll(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
    .replaceAll(/\\u\{?([\da-f]{4}|[\da-f]{2}\})/gi, (_, digits: string) => unit(digits, 16))
    .replaceAll(/\\x([\da-f]{2})/gi, (_, digits: string) => unit(digits, 16))
    .replaceAll(/\\([0-3][0-7]{2})/g, (_, digits: string) => unit(digits, 8))
    .replaceAll(/\\([/"'\\`])/g, '$1')
    .replaceAll(/&#x([\da-f]{1,6});/gi, (_, digits: string) => unit(digits, 16))
    .replaceAll(/&#(\d{1,7});/g, (_, digits: string) => unit(digits, 10))
    .replaceAll(/&([a-z]{2,8});/gi, (whole, name: string) => names[name.toLowerCase()] ?? whole)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
}

/** What runs of base64 and hexadecimal stand for, from each digit at which a group may begin. */
function decodings(text: string): string[] {
  const runs = [...new Set([text, text.replaceAll(/["'\\]?[\r\n]+\s*["'+]?/g, '')])];
  const base64 = runs.flatMap((one) => one.match(/[\w+/-]{11,}/g) ?? []);
  const hex = runs.flatMap((one) =>
    (one.match(/[\da-f](?:[ :\0-]?[\da-f]){15,}/gi) ?? []).map((run) => run.replaceAll(/[^\da-f]/gi, '')),
  );
  const decoded = (from: readonly string[], skipped: number, encoding: 'base64' | 'hex'): string =>
    from.map((run) => Buffer.from(run.slice(skipped), encoding).toString('latin1')).join('\n');
  return [
    ...[0, 1, 2, 3].map((skipped) => decoded(base64, skipped, 'base64')),
    ...[0, 1].map((skipped) => decoded(hex, skipped, 'hex')),
  ].filter((one) => one !== '');
}
