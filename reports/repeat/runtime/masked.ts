/** Names that a mask puts in the place of what it hides, and what an allowance tells of a text instead of the text. */
export const masked = /\$[A-Za-z][A-Za-z_]*(?:\.[a-z]+:\w+)?|\(another token of \d+ characters\)|….*$/;

export function hasMask(text: string): boolean {
  return masked.test(text);
}

/** What a text is like that a mask has changed. */
export function maskOf(text: string): RegExp {
  const parts = text.split(new RegExp(masked, 'g')).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text.includes('…') ? /./s : new RegExp(`^${parts.join('.*')}$`, 's');
}
