import { browserLanguage, showLanguage, showTheme } from './appearance.ts';
import { one } from './elements.ts';
import type { PageState } from './fragment.ts';
import type { Store } from './state.ts';

/** The choices beside the filter: language, theme, and whether keys are shortcuts. */
export interface Settings {
  readonly show: (state: PageState) => void;
  readonly switchLanguage: () => void;
  readonly openHelp: () => void;
}

/** The choices of the page, which go into the store when the reader makes them. */
export function settingsOf(store: () => Store): Settings {
  const theme = one(document, 'select.theme', HTMLSelectElement);
  const areKeysOn = one(document, 'input.keys-on', HTMLInputElement);
  const help = one(document, '#keyboard', HTMLDialogElement);
  theme.addEventListener('change', () => {
    const { value } = theme;
    store().set({ theme: value === 'light' || value === 'dark' ? value : 'auto' });
  });
  areKeysOn.addEventListener('change', () => store().set({ areKeysOn: areKeysOn.checked }));
  return {
    show: (state) => {
      showLanguage(state.language ?? browserLanguage());
      showTheme(state.theme);
      theme.value = state.theme;
      areKeysOn.checked = state.areKeysOn;
    },
    switchLanguage: () => {
      const language = store().now().language ?? browserLanguage();
      store().set({ language: language === 'en' ? 'pt-BR' : 'en' });
    },
    openHelp: () => help.showModal(),
  };
}
