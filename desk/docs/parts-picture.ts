import { boundaries, parts, type Part } from '../../boundaries.ts';

const importsOf = (part: Part): readonly Part[] =>
  parts.filter((other) => boundaries[part].some((name) => name === other));

/** All that a part may import, and what that may import in turn. */
function reach(part: Part): Set<Part> {
  const direct = importsOf(part);
  return new Set([...direct, ...direct.flatMap((other) => [...reach(other)])]);
}

/** What a part may import and none of its imports may: the arrows that a picture needs. */
const arrowsOf = (part: Part): Part[] =>
  importsOf(part).filter((other) => !importsOf(part).some((third) => third !== other && reach(third).has(other)));

/** The parts as a picture: an arrow leads to what may be imported, there and from there on. */
export function partsPicture(): string {
  const arrows = parts.flatMap((part) => arrowsOf(part).map((other) => `  ${part} --> ${other}`));
  return ['```mermaid', 'graph TD', ...arrows, '```'].join('\n');
}
