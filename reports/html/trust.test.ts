import { describe, expect, test } from 'vitest';
import { sampleResults } from '../sample-run.ts';
import { trustStrip } from './trust.ts';

describe('what a verdict rests on', () => {
  test('is the measured difference of the clocks, or that none was measured, in both languages', () => {
    const strip = (skew: { skewSeconds?: number }): string =>
      trustStrip({ ...sampleResults(), clock: { movable: false, ...skew } }, {}).html;
    expect(strip({ skewSeconds: 0 })).toMatch(/0 s off the suite.*0 s de diferença/s);
    expect(strip({})).not.toMatch(/off the suite|de diferença do relógio/);
    expect(strip({})).toMatch(/difference not measured.*diferença não medida/s);
  });

  test('names the command for a record of the mutants that is of another format, in both languages', () => {
    const strip = trustStrip(sampleResults(), { mutants: 'unreadable' }).html;
    const command = '<code>npm run mutants</code>';
    expect(strip).toContain(`of another format: ${command}`);
    expect(strip).toContain(`de outro formato: ${command}`);
  });
});
