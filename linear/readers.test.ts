import { describe, expect, test } from 'vitest';
import { bodyReaders, maskReaders, textReaders } from './testing/answer-readers.ts';
import { growthFaults } from './testing/growth.ts';
import { escapedTexts, hostileBodies, hostileTexts } from './testing/hostile-texts.ts';
import { escapingReaders, pageReaders, reportReaders, shownTextReaders } from './testing/report-readers.ts';

const groups = [
  { what: 'the body of an answer', readers: bodyReaders, texts: [...hostileTexts, ...hostileBodies] },
  { what: 'what is masked', readers: maskReaders, texts: escapedTexts },
  { what: 'a text within an answer', readers: textReaders, texts: hostileTexts },
  { what: 'a text that is shown', readers: shownTextReaders, texts: hostileTexts },
  { what: 'a text that is escaped', readers: escapingReaders, texts: escapedTexts },
  { what: 'a text in the page', readers: pageReaders, texts: escapedTexts },
  { what: 'a run full of a text', readers: reportReaders, texts: escapedTexts },
];

describe.each(groups)('$what', ({ readers, texts }) => {
  test.each(readers)('takes time in proportion to its length: $name', (reader) => {
    expect(growthFaults(reader, texts)).toEqual([]);
  });
});

describe('a reader', () => {
  /** So much of a text that the square of its length is no long time, and yet none that is passed over. */
  const partOf = (text: string): string => text.slice(0, text.length / 2);
  /** Works for so long: a millisecond for a text of 2,048 characters, on any machine. */
  const work = ({ length }: string): void => {
    const start = process.threadCpuUsage().user;
    while (process.threadCpuUsage().user - start < 1000 * (length / 2048) ** 2);
  };
  const spaces = hostileTexts.filter(({ name }) => name === '" "');

  test('that takes time with the square of the length is found', () => {
    expect(growthFaults({ name: 'it', read: (text) => work(partOf(text)) }, spaces)).toHaveLength(1);
  });

  test('that takes time in proportion to the length is passed over', () => {
    const read = (text: string): unknown => text.split('').map((one) => one.charCodeAt(0));
    expect(growthFaults({ name: 'it', read }, spaces)).toEqual([]);
  });
});
