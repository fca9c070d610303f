import { spellings } from './mask.ts';

/** Looks for secrets in texts that a mask has been through. */
export interface SecretSearch {
  /** How many secrets are sought. */
  readonly sought: number;
  /** What stands for each secret that a text holds (`$NFE_APP_SECRET`); never the secret itself. */
  readonly foundIn: (text: string) => readonly string[];
}

/**
 * A search for the given secrets, each with the text that takes its place. It finds each spelling that a mask knows, also where
 * the text is escaped for HTML, XML, Markdown or a JSON string. What takes the place of a secret is not searched. Of the many
 * secrets that were made for a run, only the plain spelling is sought. One that is shorter than 8 characters, as the password
 * of a certificate may be, is not sought: any report holds it by chance.
 */
export function secretSearch(
  secrets: ReadonlyMap<string, string>,
  made: ReadonlySet<string> = new Set(),
): SecretSearch {
  const others = new Set([...made].filter((secret) => isSought(secret) && !secrets.has(secret)));
  const sought = [...secrets]
    .filter(([secret]) => isSought(secret))
    .map(([secret, stand]) => ({ stand, spelt: [...spellings(secret)] }));
  const stands = sought.map(({ stand }) => stand).sort((a, b) => b.length - a.length);
  // Not dropped: what stood on both sides of it must not make a secret together.
  const withoutStands = (text: string): string => stands.reduce((rest, stand) => rest.split(stand).join('\0'), text);
  return {
    sought: sought.length + others.size,
    foundIn(text) {
      const [written, read] = [withoutStands(text), withoutStands(unescaped(text))];
      // As written, only what reading would change: a stand that is escaped is not recognised there.
      const isIn = (spelling: string): boolean =>
        read.includes(spelling) || (/[&\\]/.test(spelling) && written.includes(spelling));
      const found = sought.filter(({ spelt }) => spelt.some(isIn)).map(({ stand }) => stand);
      return [...new Set([...found, ...(holdsAny(read, others) ? ['$APP_SECRET'] : [])])];
    },
  };
}

const leastLength = 8;

function isSought(secret: string): boolean {
  return secret.length >= leastLength;
}

/** Whether a text holds one of many words: looked for all at once, since each by itself would take as long as all together. */
function holdsAny(text: string, words: ReadonlySet<string>): boolean {
  const lengths = new Set([...words].map(({ length }) => length));
  const shortest = Math.min(...lengths);
  // Words are of visible characters, so a run of those that is too short holds none.
  const runs = text.match(new RegExp(String.raw`\S{${words.size === 0 ? 1 : shortest},}`, 'g')) ?? [];
  return runs.some((run) => [...lengths].some((length) => holdsOfLength(run, length, words)));
}

function holdsOfLength(run: string, length: number, words: ReadonlySet<string>): boolean {
  for (let at = 0; at + length <= run.length; at += 1) if (words.has(run.slice(at, at + length))) return true;
  return false;
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** A text with its character references and its `\u` escapes resolved, as its reader sees it. */
function unescaped(text: string): string {
  return text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));|\\u([\da-f]{4})/gi,
    (whole, hex?: string, decimal?: string, name?: string, unit?: string) => {
      if (name !== undefined) return named[name.toLowerCase()] ?? whole;
      const code = decimal === undefined ? Number.parseInt(hex ?? unit ?? '', 16) : Number(decimal);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
