import { isMissed, type WireResult } from './trials.ts';

/** The table of breaches and of when they happen, with a line for each run that missed one, and a line that sums it up. */
export function wireLines(results: readonly WireResult[]): readonly string[] {
  const whens = [...new Set(results.map(({ when }) => when.name))];
  const rows = [...Map.groupBy(results, ({ breach }) => breach.id)].map(([id, own]) => [
    id,
    ...whens.map((name) => cell(own.filter(({ when }) => when.name === name))),
  ]);
  const missed = results.filter(isMissed);
  const broken = results.filter(({ wrong }) => wrong.length > 0);
  const answers = broken.reduce((sum, { wrong }) => sum + wrong.length, 0);
  return [
    'Each cell: runs that reported a breach, of those in which something wrong went out (what went out wrong in all of them)',
    ...aligned([['breach', ...whens], ...rows]),
    ...missed.map(missedLine),
    ...nodeLines(broken),
    `${results.length} runs, ${broken.length} with ${answers} wrong answers or deliveries, ${missed.length} unreported`,
  ];
}

function cell(results: readonly WireResult[]): string {
  const broken = results.filter(({ wrong }) => wrong.length > 0);
  const sent = broken.reduce((sum, { wrong }) => sum + wrong.length, 0);
  if (broken.length === 0) return '-';
  return `${broken.filter((result) => !isMissed(result)).length}/${broken.length} (${sent})`;
}

/** Of runs with a bad node, a line each balancer: in how many it was told which one, by what it was told. */
function nodeLines(broken: readonly WireResult[]): readonly string[] {
  const ofNodes = broken.filter(({ when }) => when.isNode);
  return [...Map.groupBy(ofNodes, ({ when }) => when.name)].map(([name, own]) => {
    const told = own.flatMap(({ nodes }) => nodes[0]?.by ?? []);
    const by = [...Map.groupBy(told, (way) => way)].map(([way, all]) => `${way} ${all.length}`);
    return `${name}: node told in ${told.length} of ${own.length} runs${by.length === 0 ? '' : ` (${by.join(', ')})`}`;
  });
}

function missedLine({ breach, when, seed, wrong, verdict, accused }: WireResult): string {
  const others = accused.length === 0 ? 'nobody accused' : `accused: ${accused.join(', ')}`;
  return `missed: ${breach.id}, ${when.name}, seed ${seed}: ${wrong.length} wrong, ${verdict}, ${others}; first: ${wrong[0]}`;
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
