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
 * the text is escaped for HTML, XML, Markdown or a JSON string. What takes the place of a secret is not searched.
 */
export function secretSearch(secrets: ReadonlyMap<string, string>): SecretSearch {
  const sought = [...secrets]
    .filter(([secret]) => secret.length > 0)
    .map(([secret, stand]) => ({ stand, spelt: [...spellings(secret)] }));
  const stands = sought.map(({ stand }) => stand).sort((a, b) => b.length - a.length);
  // Not dropped: what stood on both sides of it must not make a secret together.
  const withoutStands = (text: string): string => stands.reduce((rest, stand) => rest.split(stand).join('\0'), text);
  return {
    sought: sought.length,
    foundIn(text) {
      const [written, read] = [withoutStands(text), withoutStands(unescaped(text))];
      // As written, only what reading would change: a stand that is escaped is not recognised there.
      const isIn = (spelling: string): boolean =>
        read.includes(spelling) || (/[&\\]/.test(spelling) && written.includes(spelling));
      return [...new Set(sought.filter(({ spelt }) => spelt.some(isIn)).map(({ stand }) => stand))];
    },
  };
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
