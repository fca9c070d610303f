import { offerChecksums } from './checksum-dialog.ts';
import { clauseFilter, outOfSight, showMatches, shownClauses } from './clauses.ts';
import { offerCopies } from './copy.ts';
import { all, around } from './elements.ts';
import { filterForm, type FilterForm } from './filter-form.ts';
import { isFiltering, noFilter } from './fragment.ts';
import { listenToKeys } from './keyboard.ts';
import { unfoldForPaper } from './paper.ts';
import { goTo, neighbour, placeMarker, unfoldExchanges } from './places.ts';
import { settingsOf, type Settings } from './settings.ts';
import { storeOf, type Store } from './state.ts';

/** What the reader can do, and what keeps it. */
interface Tools {
  readonly store: Store;
  readonly settings: Settings;
  /** A page without clauses has no filter. */
  readonly form: FilterForm | undefined;
  /** Goes to the place that the store names. */
  readonly goToPlace: () => void;
  /** Brings what the filter shows into sight. */
  readonly showMatches: () => void;
}

start();

/** Shows the tools. Whatever the reader sets goes into the store, and from there to the page and to its address. */
function start(): void {
  const tools = toolsOfPage();
  listenToButtons(tools);
  listenToLinks(tools);
  listenToShortcuts(tools);
  foldOnPhone();
  unfoldForPaper();
  offerChecksums();
  offerCopies();
  for (const tool of all(document, '.tools, .recompute', HTMLElement)) tool.hidden = false;
  tools.goToPlace();
  const now = tools.store.now();
  if (now.at === '' && isFiltering(now)) tools.showMatches();
}

/** On a phone the findings are to be on the first screen, too. */
function foldOnPhone(): void {
  if (!matchMedia('(max-width: 40rem)').matches) return;
  for (const fold of all(document, 'details.reach', HTMLDetailsElement)) fold.open = false;
}

/** The tools, with the state of the address shown. */
function toolsOfPage(): Tools {
  const clauses = shownClauses();
  const showFiltered = clauseFilter(clauses);
  const form = filterForm((filter) => {
    store.set({ ...filter, at: '' });
    showMatches(clauses);
  });
  const settings = settingsOf(() => store);
  const markPlace = placeMarker();
  const known = form?.known ?? { verdicts: [], levels: [], topics: [] };

  const show = (): void => {
    const state = store.now();
    showFiltered(state);
    form?.show(state, clauses);
    form?.sayReset(false);
    settings.show(state);
    markPlace(document.getElementById(state.at));
  };
  const goToPlace = (): void => goToPlaceOf(store, form);
  const store = storeOf(known, show, goToPlace);
  show();
  return { store, settings, form, goToPlace, showMatches: () => showMatches(clauses) };
}

/** A filter that hides the place is reset: who follows a link wants to see where it leads. */
function goToPlaceOf(store: Store, form: FilterForm | undefined): void {
  const place = document.getElementById(store.now().at);
  if (!place) return;
  const isHidden = place.closest(outOfSight) !== null;
  if (isHidden) store.set(noFilter);
  form?.sayReset(isHidden);
  goTo(place);
}

function listenToButtons({ settings }: Tools): void {
  const actions = { language: settings.switchLanguage, unfold: unfoldExchanges, help: settings.openHelp };
  for (const [name, action] of Object.entries(actions)) {
    for (const button of all(document, `button.${name}`, HTMLButtonElement)) button.addEventListener('click', action);
  }
  for (const button of all(document, 'dialog button.close', HTMLButtonElement)) {
    button.addEventListener('click', () => button.closest('dialog')?.close());
  }
}

function listenToLinks({ store, goToPlace }: Tools): void {
  document.addEventListener('click', (event) => {
    const id = linkedId(event);
    if (id === undefined) return;
    event.preventDefault();
    store.push({ at: id });
    goToPlace();
  });
}

/** Id of the element that a click on a plain link leads to; `undefined` where it leads to none, or to a new window. */
function linkedId(event: MouseEvent): string | undefined {
  const link = around(event.target, 'a[href^="#"]', HTMLAnchorElement);
  const isElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const id = link?.getAttribute('href')?.slice(1) ?? '';
  return link && !isElsewhere && document.getElementById(id) ? id : undefined;
}

function listenToShortcuts({ store, settings, form, goToPlace }: Tools): void {
  const step = (by: 1 | -1): void => {
    store.set({ at: neighbour(by)?.id ?? '' });
    goToPlace();
  };
  const actions = new Map([
    ['/', () => form?.focusText()],
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['e', unfoldExchanges],
    ['l', settings.switchLanguage],
    ['?', settings.openHelp],
  ]);
  listenToKeys(actions, () => store.now().areKeysOn);
}
