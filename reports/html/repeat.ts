import type { CheckResult } from '../../schemas/results.ts';
import { decisiveRequest } from '../evidence.ts';
import { repeatScript } from '../repeat/script.ts';
import { storyOf } from '../repeat/story.ts';
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

/** A script, folded, that signs the deciding request of a failed check anew; nothing where the evidence is not enough for one. */
export function scriptDetails(clause: string, check: CheckResult, baseUrl: string): Markup | undefined {
  const exchange = decisiveRequest(check);
  const { replay, error } = check;
  const told = { ...(replay === undefined ? {} : { replay }), ...(error && { expected: error.expected }) };
  const script = exchange && repeatScript(exchange, { baseUrl, clause, ...told, story: storyOf(check, exchange) });
  if (script === undefined) return undefined;
  return markup`<details class="script">
<summary>${said('A script that sends the last request again, signed anew', 'Um script que reenvia a última requisição, assinada de novo')}</summary>
<p class="note">${said(
    markup`Save it as <code>repeat.mjs</code> and run <code>node repeat.mjs</code>; it needs Node only and reads the secret from the environment.`,
    markup`Salve como <code>repeat.mjs</code> e rode <code>node repeat.mjs</code>; só precisa do Node e lê o segredo do ambiente.`,
  )}</p>
<pre class="command" tabindex="0">${script}</pre>
</details>`;
}
