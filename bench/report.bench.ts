import { test } from 'vitest';
import { htmlReport } from '../reports/html.ts';
import { largeRun } from '../reports/large-run.ts';
import { pageScript } from '../reports/page-script.ts';
import { sampleResults } from '../reports/sample-run.ts';

test('the page of 2,000 checks and 50,000 exchanges, compared with its script and with a small page', async ({
  bench,
}) => {
  const script = await pageScript();
  const [few, many] = [sampleResults(), largeRun()];
  await bench.compare(
    bench('6 checks', () => void htmlReport(few, { script })),
    bench('the script alone, bundled', async () => void (await pageScript())),
    bench('2,000 checks', () => void htmlReport(many, { script })),
    { iterations: 5, time: 0, warmup: false },
  );
});
