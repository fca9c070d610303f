import type { BodyEvidence } from '../../schemas/results.ts';
import { counted } from '../figures.ts';
import { markup, type Markup } from './markup.ts';
import { said } from './said.ts';

/** How many bytes a body had, and how they are shown where that is not as they are. */
export function sizeText(body: Pick<BodyEvidence, 'bytes' | 'encoding'>): Markup {
  const bytes = counted(body.bytes, 'byte');
  if (body.encoding === 'utf-8') return markup`${bytes}`;
  return markup`${bytes}, ${said('not UTF-8, shown in base64', 'não é UTF-8, em base64')}`;
}
