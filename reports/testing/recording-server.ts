import { createServer } from 'node:http';

/** A request as it came: nothing of it is changed. */
export interface Recorded {
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: readonly string[];
  readonly rawBody: Buffer;
}

/** A server on a free loopback port that keeps what comes and answers 200 with what it is told. */
export async function recordingServer(answer: string | Buffer = 'answer'): Promise<{
  readonly baseUrl: string;
  readonly seen: readonly Recorded[];
  readonly stop: () => void;
}> {
  const seen: Recorded[] = [];
  const server = createServer((incoming, outgoing) => {
    const { method = '', url: target = '', rawHeaders } = incoming;
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      seen.push({ method, target, rawHeaders, rawBody: Buffer.concat(chunks) });
      outgoing.writeHead(200, { 'X-Answer': 'Yes' }).end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const stop = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { baseUrl: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`, seen, stop };
}

/** The value of the first header of that name, whatever its letter case. */
export function headerOf({ rawHeaders }: Recorded, name: string): string | undefined {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === name);
  return at < 0 ? undefined : rawHeaders[at + 1];
}
