import { expect, test } from 'vitest';
import type { Node } from '../../schemas/finding.ts';
import { inEnglish, languages, type Speech } from '../language.ts';
import { nodeText } from './statement.ts';

test.each<[Node, string]>([
  [{ by: 'header', name: 'x-node', value: 'b', wrong: 1, of: 3 }, 'only the node does it that says “x-node: b”'],
  [{ by: 'header', name: 'x-node', wrong: 2, of: 3 }, '2 of 3 values of the header x-node'],
  [{ by: 'connection', wrong: 2, of: 8 }, 'it comes over 2 of 8 connections, each time, and over none of the others'],
  [{ by: 'turn', wrong: 1, of: 2 }, 'it comes every 2nd time: 1 of 2 nodes that take turns do it'],
  [{ by: 'share', wrong: 1, of: 8 }, 'it comes about one time in 8, whatever the connection'],
])('a node is told by what tells it from the others: %j', (node, told) => {
  expect(nodeText(node, inEnglish)).toContain(told);
});

test('each language has words for each way, and shows what came from the target as it is told to', () => {
  const ways: readonly Node['by'][] = ['header', 'cookie', 'clock', 'address', 'connection', 'turn', 'share'];
  for (const language of languages) {
    const speech: Speech = { language, say: (text) => text.toUpperCase() };
    const texts = ways.map((by) => nodeText({ by, name: 'x', value: 'abc', wrong: 1, of: 4 }, speech));
    expect(new Set(texts).size).toBe(ways.length);
    expect(texts[0]).toContain('ABC');
  }
});
