import { maskOf, recomputed, type Outcome, type ShownSignature } from './checksum.ts';
import { exactTextIn } from './copy.ts';
import { all, around, fill, one } from './elements.ts';

/** Lets the reader recompute the signature of an exchange in a dialog, which forgets the secret when it closes. */
export function offerChecksums(): void {
  const dialog = one(document, '#checksum', HTMLDialogElement);
  const form = one(dialog, 'form', HTMLFormElement);
  const secret = one(form, 'input', HTMLInputElement);
  const flaw = one(dialog, '.deliberate', HTMLElement);
  const asked: { signature?: ShownSignature } = {};

  document.addEventListener('click', ({ target }) => {
    const tool = around(target, 'button.recompute', HTMLButtonElement);
    const signature = tool && shownSignature(tool);
    if (!signature) return;
    asked.signature = signature;
    introduce(dialog, signature);
    flaw.hidden = !tool.closest('details.exchange')?.querySelector('.signed-otherwise');
    dialog.showModal();
    secret.focus();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (asked.signature) tell(dialog, asked.signature, recomputed(asked.signature, secret.value));
  });
  dialog.addEventListener('close', () => {
    secret.value = '';
    delete asked.signature;
    tellNothing(dialog);
  });
}

/** What an exchange shows of its signature; `undefined` where it shows no string to sign. */
function shownSignature(tool: HTMLButtonElement): ShownSignature | undefined {
  const shown = tool.closest('details.exchange')?.querySelector('pre.string-to-sign');
  if (!(shown instanceof HTMLElement)) return undefined;
  const { encoding = 'utf-8', bytes = '' } = shown.dataset;
  const { scheme, signature = '' } = tool.dataset;
  return {
    scheme: scheme === 'hmac-sha256' ? scheme : 'md5',
    text: exactTextIn(shown),
    ...tokenLengthOf(shown),
    encoding,
    bytes: Number(bytes),
    signature,
  };
}

function tokenLengthOf(shown: HTMLElement): Pick<ShownSignature, 'tokenLength'> {
  if (!shown.querySelector('.part')) return {};
  const [token] = all(shown, '.part.token', HTMLElement);
  return { tokenLength: token ? exactTextIn(token).length : 0 };
}

function introduce(dialog: HTMLDialogElement, signature: ShownSignature): void {
  for (const hint of all(dialog, '[data-scheme]', HTMLElement)) {
    hint.hidden = hint.dataset['scheme'] !== signature.scheme;
  }
  fill(dialog, 'mask', maskOf(signature) ?? '');
  tellNothing(dialog);
}

function tell(dialog: HTMLDialogElement, { bytes, signature }: ShownSignature, outcome: Outcome): void {
  fill(dialog, 'computed', 'computed' in outcome ? outcome.computed : '');
  fill(dialog, 'shown', signature);
  fill(dialog, 'filled', 'bytes' in outcome ? String(outcome.bytes) : '');
  fill(dialog, 'signed', String(bytes));
  for (const said of all(dialog, '[data-outcome]', HTMLElement)) said.hidden = said.dataset['outcome'] !== outcome.kind;
}

function tellNothing(dialog: HTMLDialogElement): void {
  for (const said of all(dialog, '[data-outcome]', HTMLElement)) said.hidden = true;
  for (const slot of ['computed', 'shown', 'filled', 'signed']) fill(dialog, slot, '');
}
