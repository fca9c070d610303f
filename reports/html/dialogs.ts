import { markup, type Content, type Markup } from './markup.ts';
import { said } from './said.ts';

/** The dialogs that the page's script opens: the keyboard's keys, and the recomputing of a signature. */
export function dialogs(): Markup {
  return markup`${keyboardDialog()}
${checksumDialog()}
<template class="copy-button"><button type="button" class="copy">${said('Copy', 'Copiar')}</button></template>`;
}

const keys: readonly (readonly [string, Content])[] = [
  ['/', said('go to the text of the filter', 'ir ao texto do filtro')],
  ['j', said('next failure, warning or known deviation', 'próxima falha, aviso ou desvio conhecido')],
  ['k', said('previous one', 'o anterior')],
  ['e', said('unfold or fold all exchanges', 'abrir ou fechar todas as trocas')],
  ['l', said('switch the language', 'trocar o idioma')],
  ['?', said('this help', 'esta ajuda')],
  ['Esc', said('close a dialog', 'fechar um diálogo')],
];

function keyboardDialog(): Markup {
  return markup`<dialog id="keyboard" aria-labelledby="keyboard-heading">
<h2 id="keyboard-heading">${said('Keyboard', 'Teclado')}</h2>
<dl class="keys">${keys.map(([key, what]) => markup`<div><dt><kbd>${key}</kbd></dt><dd>${what}</dd></div>`)}</dl>
<label><input type="checkbox" class="keys-on" checked> ${said('Single keys are shortcuts', 'Teclas simples são atalhos')}</label>
<p><button type="button" class="close">${said('Close', 'Fechar')}</button></p>
</dialog>`;
}

function checksumDialog(): Markup {
  return markup`<dialog id="checksum" aria-labelledby="checksum-heading">
<h2 id="checksum-heading">${said('Recompute the signature', 'Recalcular a assinatura')}</h2>
<p class="deliberate" hidden>${said('This request carries a deliberate flaw in its signature. What is computed here is the signature by the contract: it need not match what was sent.', 'Esta requisição leva um defeito deliberado na assinatura. Aqui se calcula a assinatura pelo contrato, que não precisa conferir com a enviada.')}</p>
<p data-scheme="md5">${said('MD5 of the string to sign shown, with the secret in the place of its mask.', 'MD5 do texto a assinar mostrado, com o segredo no lugar da máscara.')}</p>
<p data-scheme="hmac-sha256">${said('HMAC-SHA256 of timestamp, dot and body, with the App Secret as its key.', 'HMAC-SHA256 de timestamp, ponto e corpo, com o App Secret como chave.')}</p>
<form autocomplete="off">
<label>${said('Secret', 'Segredo')} <code data-slot="mask"></code> <input type="password" autocomplete="off" spellcheck="false" required></label>
<p class="note">${said('It stays in this dialog: it is sent nowhere, kept nowhere, and forgotten when the dialog closes.', 'Fica neste diálogo: não é enviado nem guardado, e é esquecido quando o diálogo fecha.')}</p>
<p><button type="submit">${said('Recompute', 'Recalcular')}</button> <button type="button" class="close">${said('Close', 'Fechar')}</button></p>
</form>
<div role="status">
${outcomes()}
</div>
</dialog>`;
}

function outcomes(): Markup[] {
  const [computed, shown] = [slot('computed'), slot('shown')];
  const [filled, signed] = [slot('filled'), slot('signed')];
  return [
    outcome('matches', said(markup`✓ It matches: ${computed}`, markup`✓ Confere: ${computed}`)),
    outcome(
      'differs',
      said(
        markup`✗ It does not match: computed ${computed}, sent ${shown}`,
        markup`✗ Não confere: calculada ${computed}, enviada ${shown}`,
      ),
    ),
    outcome(
      'length',
      said(
        markup`It can’t be recomputed: with this secret the string has ${filled} bytes, but ${signed} were signed. The secret is another one, the text shown is shortened, or other secrets in it are masked.`,
        markup`Não é possível recalcular: com este segredo o texto tem ${filled} bytes, mas ${signed} foram assinados. O segredo é outro, o texto mostrado foi encurtado ou há outros segredos mascarados nele.`,
      ),
    ),
    outcome(
      'incomplete',
      said(
        'It can’t be recomputed: the text shown is not all that was signed, since it is shortened or secrets in it are masked.',
        'Não é possível recalcular: o texto mostrado não é tudo o que foi assinado, pois foi encurtado ou tem segredos mascarados.',
      ),
    ),
  ];
}

function outcome(kind: string, text: Markup): Markup {
  return markup`<p data-outcome="${kind}" hidden>${text}</p>
`;
}

function slot(name: string): Markup {
  return markup`<code data-slot="${name}"></code>`;
}
