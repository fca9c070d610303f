import { additions, additionText } from './needs-table.ts';

/** What setting it would add to a run; `undefined` where no clause asks for it. */
export function additionOf(setting: string): string | undefined {
  const found = additions().find(({ settings }) => settings.includes(setting));
  if (!found) return undefined;
  const others = found.settings.filter((other) => other !== setting);
  return `set it${others.length > 0 ? ` with ${others.join(' and ')}` : ''} for ${additionText(found)}`;
}
