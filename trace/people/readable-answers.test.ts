import { describe, expect, test } from 'vitest';
import returnTexts from '../../simulator/authority/return-texts.json' with { type: 'json' };
import { messages } from '../../simulator/rules/language.ts';
import { lookupRefusals } from '../../simulator/rules/refusal.ts';
import { shownBody } from './body.ts';
import { allowing } from './testing/allowances.ts';

const shown = (message: string): string => shownBody(JSON.stringify({ message }), allowing());

describe('texts that explain stay as they are', () => {
  test('of the gateway, in every language', () => {
    const texts = Object.values(messages).flatMap((message) => Object.values(message));
    for (const text of texts) expect(shown(text)).toBe(JSON.stringify({ message: text }));
  });

  test('of the registries, with their codes', () => {
    for (const { code, message: texts } of Object.values(lookupRefusals)) {
      for (const message of Object.values(texts)) {
        const body = JSON.stringify({ code, message });
        expect(shownBody(body, allowing())).toBe(body);
      }
    }
  });

  test('of the tax authority, but for one that quotes a number', () => {
    const belowThousand = Object.entries(returnTexts).filter(([code]) => Number(code) < 1000);
    const texts = belowThousand.map(([, text]) => text);
    const changed = texts.filter((text) => shown(text) !== JSON.stringify({ message: text }));
    expect(changed).toEqual([
      'Rejeição: Informado código de município diferente de "9999999" para operação com o exterior',
    ]);
  });
});
