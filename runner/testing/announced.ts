import { expect } from 'vitest';
import { costBy, costKinds, type Cost } from '../../contract/endpoints.ts';
import type { Ended } from './runs.ts';

/** What a run said beforehand that it would send and leave behind. */
function announcedIn({ stdout }: Pick<Ended, 'stdout'>): Cost {
  const sent = /^About ([\d,]+) requests?/m.exec(stdout)?.[1];
  const words = leftIn(stdout).split(/[ ()]/);
  const countOf = (noun: string): number => {
    const at = words.findIndex((word) => word.startsWith(noun));
    return Number(words[at - 1]?.replaceAll(',', '') ?? 0);
  };
  const companies = countOf('compan');
  const certificates = countOf('certificate');
  return {
    requests: Number(sent?.replaceAll(',', '')),
    companies,
    // Only told where it is another number.
    certificates: words.some((word) => word.startsWith('certificate')) ? certificates : companies,
    addresses: countOf('address'),
    invoices: countOf('invoice'),
    cancellations: countOf('cancelled'),
  };
}

function leftIn(stdout: string): string {
  const start = 'It leaves at the target about ';
  const line = stdout.split('\n').find((one) => one.startsWith(start)) ?? '';
  return line.slice(start.length).split(';', 1)[0] ?? '';
}

/** What a run has sent and left behind, as its results say. */
function spentIn({ results }: Pick<Ended, 'results'>): Cost {
  return costBy((kind) => (kind === 'requests' ? results?.requests : results?.sideEffects?.[kind]) ?? NaN);
}

/** Fails unless what was announced was within 15 % of what was then sent, or that share of it; of a small count, within one. */
export function expectAsAnnounced(ended: Ended, most = 0.15): void {
  const [announced, spent] = [announcedIn(ended), spentIn(ended)];
  const off = costKinds.filter((kind) => Math.abs(announced[kind] - spent[kind]) > Math.max(1, spent[kind] * most));
  const hint = 'npm run costs measures anew what checks cost';
  expect(off, `announced ${JSON.stringify(announced)}, sent ${JSON.stringify(spent)}: ${hint}`).toEqual([]);
}
