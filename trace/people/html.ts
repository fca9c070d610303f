const pages = new Set(
  'html head body title meta div p h1 h2 h3 h4 center table pre span b br hr a ul script style'.split(' '),
);

/** Whether a markup is a page for people: by its doctype, or by its first element. */
export function wordsMayStandIn(text: string): boolean {
  const start = text.slice(0, longestStart);
  if (/<!doctype html/i.test(start)) return true;
  const [, name = ''] = /<([a-z\d]+)/i.exec(start) ?? [];
  return pages.has(name.toLowerCase());
}

const longestStart = 2_000;
