import { settingsTable, type Setting } from '../../runner/settings/settings-table.ts';

/** Every setting with what it takes and what holds without it, as the table that docs/ shows. */
export function settingsText(): string {
  const rows = Object.values<Setting>(settingsTable).map((setting) => {
    const { name, takes, description, secret } = setting;
    const masked = secret ? ' Masked everywhere.' : '';
    return `| \`${name}\` | ${description}${masked} | ${takes.text} | ${defaultText(setting)} |`;
  });
  return ['| setting | what it says | takes | default |', '|---|---|---|---|', ...rows].join('\n');
}

/** What holds without it, and where that is otherwise. */
function defaultText({ default: usual, defaultIn, sandboxDefault, containerDefault }: Setting): string {
  const code = (text: string): string => `\`${text}\``;
  return [
    ...(defaultIn === undefined ? [] : [defaultIn.words]),
    ...(usual === undefined ? [] : [code(usual)]),
    ...(sandboxDefault === undefined ? [] : [`${code(sandboxDefault)} on a server`]),
    ...(containerDefault === undefined ? [] : [`${code(containerDefault)} for the container`]),
  ].join('; ');
}
