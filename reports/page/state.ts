import { fragmentOf, stateOf, type Known, type PageState } from './fragment.ts';

/** The state of the page, kept in the fragment of its address. */
export interface Store {
  readonly now: () => PageState;
  /** Changes the state; the address follows, without an entry in the history. */
  readonly set: (part: Partial<PageState>) => void;
  /** The same with an entry in the history, so that Back leads to where the reader was. */
  readonly push: (part: Partial<PageState>) => void;
}

/** Reads the state from the address, and tells of every change; `onTravel` follows where Back or a typed address led. */
export function storeOf(known: Known, onChange: () => void, onTravel: () => void): Store {
  let state = stateOf(location.hash, known);
  const change = (next: PageState): void => {
    state = next;
    onChange();
  };
  addEventListener('popstate', () => {
    change(stateOf(location.hash, known));
    onTravel();
  });
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
