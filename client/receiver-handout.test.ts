import { expect, test } from 'vitest';
import { handoutOf } from './receiver-handout.ts';

const aMinute = 60_000;

test('items are given in order, each to one who waits, first come first served', async () => {
  const items: number[] = [];
  const handout = handoutOf(items);
  const [two, one] = [handout.next(2, aMinute), handout.next(1, aMinute)];
  for (const item of [1, 2, 3]) {
    items.push(item);
    handout.serve();
  }
  expect(await two).toEqual([1, 2]);
  expect(await one).toEqual([3]);
});

test('one who waits in vain takes what there is, and those behind wait on', async () => {
  const items = [1];
  const handout = handoutOf(items);
  const [many, one] = [handout.next(3, 10), handout.next(1, aMinute)];
  expect(await many).toEqual([1]);
  items.push(2);
  handout.serve();
  expect(await one).toEqual([2]);
});

test('one who waits in vain takes nothing from those who came before', async () => {
  const items = [1];
  const handout = handoutOf(items);
  const [first, second] = [handout.next(2, aMinute), handout.next(1, 1)];
  expect(await second).toEqual([]);
  items.push(2);
  handout.serve();
  expect(await first).toEqual([1, 2]);
});

test('an item that comes after a time-out is for the next one who asks', async () => {
  const items: number[] = [];
  const handout = handoutOf(items);
  expect(await handout.next(1, 1)).toEqual([]);
  items.push(1);
  expect(await handout.next(1, aMinute)).toEqual([1]);
});

test('nobody waits after the end', async () => {
  const items = [1];
  const handout = handoutOf(items);
  const waiting = handout.next(2, aMinute);
  handout.end();
  expect(await waiting).toEqual([1]);
  expect(await handout.next(1, aMinute)).toEqual([]);
});
