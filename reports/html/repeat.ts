import type { CheckResult } from '../../schemas/results.ts';
import type { Phrase } from '../language.ts';
import { scriptOfCheck } from '../repeat/of-finding.ts';
import type { Lack } from '../repeat/script.ts';
import { exactText, markup, type Markup } from './markup.ts';
import { said } from './said.ts';

/** How to repeat a failed check: the command, and the script where the page has room for it; nothing where neither is known. */
export function repeatBlock({ replay }: Pick<CheckResult, 'replay'>, script: Markup | undefined): Markup | undefined {
  if (replay === undefined && script === undefined) return undefined;
  return markup`<div class="repeat">
<h5>${said('How to repeat it', 'Como repetir')}</h5>
${replay === undefined ? undefined : markup`<pre class="command" tabindex="0">${exactText(replay)}</pre>`}
${script}
</div>`;
}

/** Why no script can repeat a failed check; nothing where one can. */
export function lackNote(clause: string, check: CheckResult): Markup | undefined {
  const told = scriptOfCheck(clause, check, '');
  return 'lack' in told
    ? markup`<p class="note">${said(lacks[told.lack].en, lacks[told.lack]['pt-BR'])}</p>`
    : undefined;
}

/** A script, folded, that takes the steps of a failed check again; nothing where there can be none. */
export function scriptDetails(clause: string, check: CheckResult, baseUrl: string): Markup | undefined {
  const told = scriptOfCheck(clause, check, baseUrl);
  if ('lack' in told) return undefined;
  return markup`<details class="script">
<summary>${said('A script that repeats it, step by step', 'Um script que repete isto, passo a passo')}</summary>
<p class="note">${said(
    markup`Save it as <code>repeat.mjs</code> and run <code>node repeat.mjs</code>; it needs Node only and reads secrets from the environment. It ends with 1 where it is reproduced, with 0 where it is not, with 2 where it could not be tried.`,
    markup`Salve como <code>repeat.mjs</code> e rode <code>node repeat.mjs</code>; só precisa do Node e lê os segredos do ambiente. Termina com 1 onde se reproduz, com 0 onde não, com 2 onde não se pôde tentar.`,
  )}</p>
<pre class="command" tabindex="0">${told.script}</pre>
</details>`;
}

const lacks: Readonly<Record<Lack, Phrase>> = {
  steps: {
    en: 'No script repeats this: it takes more steps than the report holds. The command makes the whole check again.',
    'pt-BR':
      'Nenhum script repete isto: são mais passos do que o relatório guarda. O comando refaz a verificação inteira.',
  },
  request: {
    en: 'No script repeats this: the report does not tell how one of its requests was signed. The command makes the whole check again.',
    'pt-BR':
      'Nenhum script repete isto: o relatório não diz como uma das requisições foi assinada. O comando refaz a verificação inteira.',
  },
  body: {
    en: 'No script repeats this: the body of one of its requests is too long for the report. The command makes the whole check again.',
    'pt-BR':
      'Nenhum script repete isto: o corpo de uma das requisições é longo demais para o relatório. O comando refaz a verificação inteira.',
  },
};
