import type { BodyEvidence } from '../../schemas/results.ts';
import { counted, figure } from '../figures.ts';
import { markup, type Markup } from './markup.ts';
import { said } from './said.ts';

/** How many bytes a body had, how they are shown where that is not as they are, and how much of them was kept. */
export function sizeText({ bytes, encoding, text, cut }: BodyEvidence): Markup {
  const size = counted(bytes, 'byte');
  const shown = encoding === 'utf-8' ? undefined : said(', not UTF-8, shown in base64', ', não é UTF-8, em base64');
  const kept = figure(text.length);
  const rest =
    cut === undefined
      ? undefined
      : said(`; only the first ${kept} characters were kept`, `; só os primeiros ${kept} caracteres foram guardados`);
  return markup`${size}${shown}${rest}`;
}
