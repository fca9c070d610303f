import { all, around } from './elements.ts';
import { exactTextOf, type ShownPiece } from '../html/markup.ts';

/** Puts a button behind each block of a failure that copies what it shows, exactly. */
export function offerCopies(): void {
  const template = document.querySelector('template.copy-button');
  if (!(template instanceof HTMLTemplateElement)) return;
  for (const block of all(document, 'article :is(.exchange pre, pre.command)', HTMLElement))
    block.after(template.content.cloneNode(true));
  document.addEventListener('click', ({ target }) => {
    const button = around(target, 'button.copy', HTMLButtonElement);
    const block = button?.previousElementSibling;
    if (button && block instanceof HTMLElement) void copied(exactTextIn(block)).then((isDone) => told(button, isDone));
  });
}

/** The exact text that an element shows. */
function exactTextIn(shown: HTMLElement): string {
  const pieces: ShownPiece[] = [];
  const walker = document.createTreeWalker(shown, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    pieces.push({ text: node.textContent ?? '', isSpelt: node.parentElement?.matches('.spelt') ?? false });
  }
  return exactTextOf(pieces);
}

/** Whether the text is in the clipboard; where the browser keeps pages from it, nothing is. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** How long a button tells what became of it. */
const toldMs = 2_000;

function told(button: HTMLButtonElement, isDone: boolean): void {
  button.dataset['copied'] = isDone ? '✓' : '✗';
  setTimeout(() => delete button.dataset['copied'], toldMs);
}
