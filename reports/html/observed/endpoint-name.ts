import { endpoints } from '../../../contract/endpoints.ts';
import { shortened, visible } from '../../visible.ts';
import { markup, type Markup } from '../markup.ts';
import { said } from '../said.ts';

const longestName = 120;

/** The endpoint of a shape by method and path. */
export function endpointName(name: string): Markup {
  if (name === 'other') return said('any other method or path', 'qualquer outro método ou caminho');
  const known = endpoints.find((endpoint) => endpoint.name === name);
  return markup`<code>${known ? `${known.method} ${known.path}` : shortened(visible(name), longestName)}</code>`;
}
