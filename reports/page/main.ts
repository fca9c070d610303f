import {
  filterForm,
  isOutOfSight,
  showFiltered,
  showMatches,
  shownClauses,
  type FilterForm,
  all,
  around,
} from './clauses.ts';
import { fragmentOf, isFiltering, noFilter, stateOf, type Known, type PageState } from './state.ts';
import type { Language } from '../language.ts';
import { exactTextOf, type ShownPiece } from '../html/markup.ts';

start();

/** Shows the tools. Whatever the reader sets goes into the state, and from there to the page and to its address. */
function start(): void {
  const clauses = shownClauses();
  const form = filterForm((filter) => {
    store.set({ ...filter, at: '' });
    showMatches(clauses);
  });
  const show = (state: PageState): void => {
    showFiltered(clauses, state);
    form?.show(state, clauses);
    form?.sayReset(false);
    showLanguage(languageOf(state));
    markPlace(state.at);
  };
  const store = storeOf(form?.known ?? { verdicts: [], levels: [], topics: [] }, show, () => goToPlace(store, form));
  for (const button of all(document, 'button.language', HTMLButtonElement))
    button.addEventListener('click', () => store.set({ language: languageOf(store.now()) === 'en' ? 'pt-BR' : 'en' }));
  listenToLinks(store, form);
  foldOnPhone();
  offerCopies();
  for (const tool of all(document, '.tools', HTMLElement)) tool.hidden = false;
  goToPlace(store, form);
  const now = store.now();
  if (now.at === '' && isFiltering(now)) showMatches(clauses);
}

/** On a phone the findings are to be on the first screen, too. */
function foldOnPhone(): void {
  if (!matchMedia('(max-width: 40rem)').matches) return;
  for (const fold of all(document, 'details.reach', HTMLDetailsElement)) fold.open = false;
}

/** The language that was chosen; else Portuguese where the browser is set to it, and English. */
function languageOf({ language }: PageState): Language {
  return language ?? (navigator.language.toLowerCase().startsWith('pt') ? 'pt-BR' : 'en');
}

/** Shows the page's own words in a language; the style hides the other one. */
function showLanguage(language: Language): void {
  // The page's own language stays English: what it tells of the target, and of the contract, is in no other.
  document.documentElement.dataset['language'] = language;
  for (const option of all(document, '.tools option[data-en]', HTMLOptionElement)) {
    option.lang = language;
    option.textContent = (language === 'en' ? option.dataset['en'] : option.dataset['ptBr']) ?? '';
  }
}

/** Marks the place that the reader went to, and no other. */
function markPlace(id: string): void {
  const place = document.getElementById(id);
  for (const marked of all(document, '[data-at]', HTMLElement)) delete marked.dataset['at'];
  if (place) place.dataset['at'] = '';
}

/** Goes where the state says. A filter that hides the place is reset: who follows a link wants to see where it leads. */
function goToPlace(store: Store, form: FilterForm | undefined): void {
  const place = document.getElementById(store.now().at);
  if (!place) return;
  const isHidden = isOutOfSight(place);
  if (isHidden) store.set(noFilter);
  form?.sayReset(isHidden);
  goTo(place);
}

/** Unfolds what holds an element, brings it into sight, and puts the focus there. */
function goTo(element: HTMLElement): void {
  for (let fold = element.closest('details'); fold; fold = fold.parentElement?.closest('details') ?? null) {
    fold.open = true;
  }
  if (!element.matches('a[href], button, input, select, [tabindex]')) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  // What lies between is laid out only as it comes into sight: a smooth scroll would end beside the place.
  element.scrollIntoView({ behavior: 'instant' });
}

function listenToLinks(store: Store, form: FilterForm | undefined): void {
  document.addEventListener('click', (event) => {
    const id = linkedId(event);
    if (id === undefined) return;
    event.preventDefault();
    store.push({ at: id });
    goToPlace(store, form);
  });
}

/** Id of the element that a click on a plain link leads to; `undefined` where it leads to none, or to a new window. */
function linkedId(event: MouseEvent): string | undefined {
  const link = around(event.target, 'a[href^="#"]', HTMLAnchorElement);
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const id = link?.getAttribute('href')?.slice(1) ?? '';
  return link && !isElsewhere && document.getElementById(id) ? id : undefined;
}

/** The state of the page, kept in the fragment of its address. */
interface Store {
  readonly now: () => PageState;
  /** Changes the state; the address follows, without an entry in the history. */
  readonly set: (part: Partial<PageState>) => void;
  /** The same with an entry in the history, so that Back leads to where the reader was. */
  readonly push: (part: Partial<PageState>) => void;
}

/** Shows the state of the address, and every change; `onTravel` follows where Back or a typed address led. */
function storeOf(known: Known, show: (state: PageState) => void, onTravel: () => void): Store {
  let state = stateOf(location.hash, known);
  const change = (next: PageState): void => {
    state = next;
    show(state);
  };
  addEventListener('popstate', () => {
    change(stateOf(location.hash, known));
    onTravel();
  });
  show(state);
  return {
    now: () => state,
    set: (part) => {
      change({ ...state, ...part });
      remember(() => history.replaceState(null, '', addressOf(state)));
    },
    push: (part) => {
      change({ ...state, ...part });
      remember(() => history.pushState(null, '', addressOf(state)));
    },
  };
}

/** Safari throws where the address changes too often: the page goes on, and the address follows with the next change. */
function remember(change: () => void): void {
  try {
    change();
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}

/** An empty fragment alone would leave the address as it is. */
function addressOf(state: PageState): string {
  return fragmentOf(state) || location.pathname + location.search;
}

/** Puts a button behind each block of a failure that copies what it shows, exactly. */
function offerCopies(): void {
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
