import type { ServerResponse } from 'node:http';

/** Bytes that are sent as they are. */
export interface ReplyContent {
  readonly type: string;
  readonly bytes: Buffer;
}

/** What a request is answered with. */
export interface Reply {
  readonly status: number;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** In place of a body; without either the reply has no content at all. */
  readonly content?: ReplyContent;
  /** Of a `transfer-encoding` among them it is sent without its length. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** What the simulator's own log tells of it; not sent. */
  readonly notes?: readonly string[];
  /** Nothing is sent: the connection is closed, or reset. */
  readonly cut?: 'closed' | 'reset';
  /** Done once the reply has gone out, or its caller has left. */
  readonly after?: () => void;
}

/** Sends a reply and ends the response. */
export function sendReply(response: ServerResponse, reply: Reply): void {
  const { status, headers = {}, after } = reply;
  const { type, bytes } = sentOf(reply);
  // Who waited too long has left already.
  if (response.closed) return after?.();
  if (after) response.once('close', after);
  if (reply.cut === 'closed') return void response.socket?.destroy();
  if (reply.cut === 'reset') return void response.socket?.resetAndDestroy();
  const own = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const length = Buffer.byteLength(bytes);
  const all: Record<string, string | string[]> = {};
  if (length > 0 && !own.has('content-type')) all['content-type'] = type;
  if (!own.has('transfer-encoding') && !own.has('content-length')) all['content-length'] = String(length);
  for (const [name, value] of Object.entries(headers)) all[name] = typeof value === 'string' ? value : [...value];
  response.writeHead(status, all);
  response.end(bytes);
}

/** The bytes of a reply; none where it has no content. */
export function contentOf(reply: Reply): ReplyContent {
  const { type, bytes } = sentOf(reply);
  return { type, bytes: Buffer.from(bytes) };
}

/** The same, where JSON stays text unless it is long: it goes out in one piece with the head. */
function sentOf({ body, content }: Reply): { readonly type: string; readonly bytes: Buffer | string } {
  if (content) return content;
  const text = body === undefined ? '' : JSON.stringify(body);
  return { type: 'application/json; charset=utf-8', bytes: text.length > longestText ? Buffer.from(text) : text };
}

/** Of a longer text the socket takes more than one piece, and each would be encoded by itself. */
const longestText = 16 * 1024;
