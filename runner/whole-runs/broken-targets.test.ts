import { request as httpRequest, type RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { referenceRules } from '../../simulator/rules/rules.ts';
import { npmTest, withServer, withSteered, type Ended } from '../testing/runs.ts';

/** An answer whose body is read byte by byte. */
interface Answer {
  readonly status: number;
  readonly text: string;
}

type Spoil = (answer: Answer) => Answer;

/** Answers as the simulator does, but spoilt; the first answer, by which a run finds out whether it can begin, is left alone. */
function spoiling(baseUrl: string, spoil: Spoil): RequestListener {
  const { hostname, port } = new URL(baseUrl);
  let answered = 0;
  return (incoming, outgoing) => {
    const { method, rawHeaders: headers, url: path } = incoming;
    const onward = httpRequest({ hostname, port, method, headers, path }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const answer = { status: response.statusCode ?? 500, text: Buffer.concat(chunks).toString('latin1') };
        const { status, text } = answered++ === 0 ? answer : spoil(answer);
        const contentType = response.headers['content-type'];
        outgoing
          .writeHead(status, contentType === undefined ? {} : { 'content-type': contentType })
          .end(text, 'latin1');
      });
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  };
}

/** The suite against the simulator, whose answers are spoilt on the way; its control API is left alone. */
function against(spoil: Spoil): Promise<Ended> {
  return withSteered(referenceRules, (settings) =>
    withServer(spoiling(settings.NFE_BASE_URL, spoil), (spoilt) =>
      npmTest({ ...settings, NFE_NUM_RUNS: '1', NFE_BASE_URL: spoilt }),
    ),
  );
}

/** Puts something else in the place of each text of a JSON body. */
function eachText(change: (text: string) => unknown): Spoil {
  return ({ status, text }) => {
    if (!/^\s*[[{"]/.test(text)) return { status, text };
    const parsed: unknown = JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? change(value) : value,
    );
    return { status, text: JSON.stringify(parsed) ?? '' };
  };
}

describe.concurrent('a target that is broken through and through is judged, and breaks no check of the suite', () => {
  test.each<[string, Spoil]>([
    ['every body is an empty object', ({ status }) => ({ status, text: '{}' })],
    ['everything is accepted with an empty array', () => ({ status: 200, text: '[]' })],
    ['everything is refused with 500 and a text', () => ({ status: 500, text: 'Internal Server Error' })],
    ['every text of a body is a number', eachText(() => 7)],
    ['every text of a body is misspelt', eachText((value) => `${value}x`)],
  ])('%s', async (_, spoil) => {
    const { stderr, status, results } = await against(spoil);
    expect(stderr).toBe('');
    expect(status).toBe(1);
    expect(results?.verdict).toBe('nonconformant');
  });
});
