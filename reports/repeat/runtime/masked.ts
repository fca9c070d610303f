/** Names that a mask puts in the place of what it hides, and what an allowance tells of a text instead of the text. */
const maskName = /\$[A-Za-z][A-Za-z_]*(?:\.[a-z]+:\w+)?|\(another token of \d+ characters\)|…/;

export function hasMask(text: string): boolean {
  return maskName.test(text);
}

/** Whether a text is one that a mask may have changed so: what is left of it stands there in this order. */
export function fits(masked: string, text: string): boolean {
  if (masked.includes('…')) return text !== '';
  const parts = masked.split(maskName);
  const [first = '', last = ''] = [parts[0], parts.at(-1)];
  if (parts.length === 1) return text === masked;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.startsWith(first) && text.endsWith(last) && text.length - last.length >= at;
}
