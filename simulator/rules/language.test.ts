import { describe, expect, test } from 'vitest';
import { languages } from '../../contract/values.ts';
import { languageRules, messages } from './language.ts';

const { choose, retiredText } = languageRules;

describe('language', () => {
  test('Language wins over Accept-Language', () => {
    expect(choose({ language: 'es', 'accept-language': 'en' })).toBe('es');
  });

  test('a Language that is not offered leaves the choice to Accept-Language', () => {
    expect(choose({ language: 'fr', 'accept-language': 'en' })).toBe('en');
  });

  test.each([
    ['pt-BR', 'pt'],
    ['zh-Hans-CN', 'zh'],
    ['EN', 'en'],
    ['en-US,en;q=0.9', 'en'],
    ['fr, es;q=0.2, zh;q=0.3', 'zh'],
    ['*;q=0.1, es;q=0.5', 'es'],
    ['*', 'pt'],
    ['fr', 'pt'],
    ['en;q=0', 'pt'],
    ['en;q=abc, ;;,', 'pt'],
    ['', 'pt'],
  ])('Accept-Language %j gets %s', (wished, language) => {
    expect(choose({ 'accept-language': wished })).toBe(language);
  });

  test('every text differs between any two languages', () => {
    for (const message of Object.values(messages)) {
      expect(new Set(languages.map((language) => message[language])).size).toBe(languages.length);
    }
  });

  test('the English text of a 410 names the replacement in the words of section 7.2', () => {
    expect(retiredText('$& /a/{b}', 'en')).toBe('This API has been retired, please use $& /a/{b} instead');
  });
});
