import { describe, expect, test } from 'vitest';
import { languageIn, wordOfLocale } from './setting-kinds.ts';
import { readSettings } from './settings.ts';

describe('the language', () => {
  test.each([
    [{}, 'en'],
    [{ LANG: 'pt_BR.UTF-8' }, 'pt'],
    [{ LANG: 'pt_PT' }, 'pt'],
    [{ LANG: 'PT' }, 'pt'],
    [{ LANG: 'pt-BR' }, 'pt'],
    [{ LANG: 'C.UTF-8' }, 'en'],
    [{ LANG: 'ptx' }, 'en'],
    [{ LANG: 'pt_BR.UTF-8', LC_MESSAGES: 'en_US.UTF-8' }, 'en'],
    [{ LANG: 'en_US', LC_MESSAGES: 'pt_BR' }, 'pt'],
    [{ LC_MESSAGES: 'pt_BR', LC_ALL: 'C' }, 'en'],
    [{ LANG: 'pt_BR', LC_ALL: '' }, 'pt'],
  ])('of the locale in %j is %s', (environment, word) => {
    expect(wordOfLocale(environment)).toBe(word);
    expect(readSettings(environment).language).toBe(word === 'pt' ? 'pt-BR' : 'en');
  });

  test.each([
    ['en', 'en'],
    ['pt', 'pt-BR'],
  ])('that NFE_LANGUAGE says comes before the locale: %s', (word, language) => {
    const environment = { NFE_LANGUAGE: word, LC_ALL: word === 'pt' ? 'C' : 'pt_BR' };
    expect([languageIn(environment), readSettings(environment).language]).toEqual([language, language]);
  });

  test.each(['pt-BR', 'EN', 'de'])('is refused as %s', (word) => {
    expect(() => readSettings({ NFE_LANGUAGE: word })).toThrow('NFE_LANGUAGE takes `en` or `pt`');
  });
});
