import { describe, expect, test } from 'vitest';
import { sampleFailure } from '../testing/sample-run.ts';
import { markup } from './markup.ts';
import { repeatBlock } from './evidence-plan.ts';

const { replay } = sampleFailure;
const script = markup`<pre>a script</pre>`;

describe('how to repeat a failure is told', () => {
  test('by its command and by its script', () => {
    const told = repeatBlock({ replay }, script)?.html ?? '';
    expect(told).toContain(`${replay}</pre>`);
    expect(told).toContain('<pre>a script</pre>');
  });

  test('by one of them where the other is not known', () => {
    expect(repeatBlock({}, script)?.html).toContain('<pre>a script</pre>');
    expect(repeatBlock({ replay }, undefined)?.html).toContain(`${replay}</pre>`);
  });

  test('in no heading without a word where neither is', () => {
    expect(repeatBlock({}, undefined)).toBeUndefined();
  });
});
