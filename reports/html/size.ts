import type { BodyEvidence } from '../../schemas/evidence.ts';
import { figure } from '../figures.ts';
import { markup, type Markup } from './markup.ts';
import { said, saidCount } from './said.ts';

/** How many bytes a body had, how they are shown where that is not as they are, and how much of them was kept. */
export function sizeText({ bytes, encoding, text, cut }: BodyEvidence): Markup {
  const size = saidCount(bytes, { en: ['byte', 'bytes'], 'pt-BR': ['byte', 'bytes'] });
  const shown = encoding === 'utf-8' ? undefined : said(', not UTF-8, shown in base64', ', não é UTF-8, em base64');
  const rest = cut === undefined ? undefined : keptText(text.length);
  return markup`${size}${shown}${rest}`;
}

function keptText(characters: number): Markup {
  return said(
    `; only the first ${figure(characters)} characters were kept`,
    `; só os primeiros ${figure(characters, 'pt-BR')} caracteres foram guardados`,
  );
}
