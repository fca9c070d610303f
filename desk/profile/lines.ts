import { counted } from '../../reports/language.ts';
import type { Profile } from '../../targets/profile.ts';
import type { Settings } from '../../runner/settings/settings.ts';
import { bodiesIn, filesIn } from './candidates.ts';
import { limits, mostDraws, mostUploads, type Gathered, type Lacking, type Spent } from './search.ts';
import { recordFile } from './record.ts';

/** What a search will try and the most that it will send, before it sends anything. */
export function planLines(
  { baseUrl, target, maxRps, settleTimeoutSeconds, empresaId }: Settings,
  sources: readonly Profile[],
): string[] {
  const bodies = (file: Parameters<typeof bodiesIn>[1]): number => bodiesIn(sources, file).length;
  const documents = ['verificacao.autorizada.xml', 'verificacao.rejeitada.xml'] as const;
  const xmls = documents.reduce((count, file) => count + filesIn(sources, file).length, 2);
  const numbers = sources.filter(({ consultas }) => consultas).length;
  const pace = maxRps === 0 ? 'as fast as it answers' : `at ${maxRps} requests a second at most`;
  return [
    `Searches for a profile that suits ${baseUrl ?? `the ${target} simulator`}, ${pace}, in Homologacao only.`,
    `Tries the files of ${sources.map(({ folder }) => folder).join(', ')}: ${counted(bodies('empresa.json') + bodies('outra-empresa.json'), 'company', 'companies')}, ` +
      `${counted(bodies('nf-e.autorizada.json') + bodies('nf-e.negada.json') + bodies('nf-e.invalida.json'), 'issuance')}, ${counted(xmls, 'document')}, ${counted(2 * (2 * numbers + mostDraws), 'number')} at most.`,
    ...(empresaId === undefined ? [] : ['NFE_EMPRESA_ID names the company to issue for: none is sought in its place.']),
    `At most ${limits.companies} companies (${mostUploads} certificate uploads each) and ${limits.invoices} invoices stay at the target; nothing is cancelled, no address is registered.`,
    `An invoice that does not settle is waited for ${settleTimeoutSeconds} s, once.`,
  ];
}

/**
 * What a search has come to: what is missing with what to do, what stays at the target, and what comes next. Raw.
 * @param kept What was there before and nothing better was found for.
 */
export function summaryLines(
  folder: string,
  { files, found, lacking }: Gathered,
  spent: Spent,
  kept: readonly Lacking[],
): string[] {
  const named = ({ file, part }: Pick<Lacking, 'file' | 'part'>): string =>
    part === undefined ? file : `${file} ${part}`;
  const missing = new Set(lacking.map(named));
  const proved = new Set(found.map(named));
  const all = new Set([...proved, ...missing]);
  const written = `${counted(files.size, 'file')} and ${recordFile} written to ${folder}`;
  return [
    '',
    ...lacking.map((one) => `${proved.has(named(one)) ? '! partly ' : '✗ missing'}  ${named(one)} → ${one.todo}`),
    `Found ${all.size - missing.size} of ${counted(all.size, 'part')}; ${leftText(spent)}.`,
    ...(kept.length === 0 ? [] : [`Left as they were, unproven: ${kept.map(({ file }) => file).join(', ')}.`]),
    files.size === 0 ? 'Nothing was written.' : `${written}: set NFE_PROFILE=${folder}, then npm run doctor.`,
  ];
}

/** What a search has left behind. */
export function leftText({ companies, invoices }: Spent): string {
  return `${counted(companies, 'company', 'companies')} and ${counted(invoices, 'invoice')} (Homologacao) were left at the target`;
}
