import { around } from './elements.ts';

/** Calls the action of a key, unless keys are off, a modifier is held, a dialog is open or the reader is typing. */
export function listenToKeys(actions: ReadonlyMap<string, () => void>, areOn: () => boolean): void {
  document.addEventListener('keydown', (event) => {
    const action = actions.get(event.key);
    const isModified = event.ctrlKey || event.altKey || event.metaKey;
    if (!action || isModified || event.isComposing || !areOn() || isTyping(event) || isDialogOpen()) return;
    event.preventDefault();
    action();
  });
}

function isTyping({ target }: Event): boolean {
  return around(target, 'input:not([type="checkbox"]), textarea, select, [contenteditable]', HTMLElement) !== undefined;
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}
