import { member, isObject, readJson } from '../../schemas/values.ts';
import { isOfMessage, type CallLine, type DeliveryLine, type RecordLine } from '../../trace/lines.ts';

/** One thing changed in what happened. */
export interface Change {
  /** What was changed: "the member nfeNumero missing". */
  readonly name: string;
  /** The lines in the place of the one that was changed. */
  readonly lines: readonly RecordLine[];
}

type Message = CallLine | DeliveryLine;

/** What a target must not do: each changes one thing of a message that was right. */
export function wrongChanges(line: RecordLine): Change[] {
  if (!isOfMessage(line)) return [];
  if (line.kind === 'link') {
    const inPlace = ['', 'OK', '{}', '<!doctype html>'].map((text) => change(`"${text}"`, withText(line, text)));
    return [...statusChanges(line), ...inPlace];
  }
  const json = readJson(bodyOf(line));
  return [
    ...(line.kind === 'delivery' ? deliveryChanges(line) : statusChanges(line)),
    ...pointersIn(json).flatMap((pointer) => [
      change(`${pointer} missing`, withBody(line, without(json, pointer))),
      ...otherValues(at(json, pointer)).map((value) =>
        change(`${pointer} is ${JSON.stringify(value).slice(0, 40)}`, withBody(line, replaced(json, pointer, value))),
      ),
    ]),
    ...(isObject(json)
      ? [
          change('wrapped in data', withBody(line, { data: json })),
          change('in an array', withBody(line, [json])),
          change('in an envelope', withBody(line, { success: true, code: 0, message: 'OK', data: json })),
        ]
      : []),
    change('an empty object', withBody(line, {})),
    change('no JSON', withText(line, 'OK')),
  ];
}

/** What a target is free to do: none of these may accuse it. */
export function freeChanges(line: RecordLine): Change[] {
  if (!isOfMessage(line) || line.kind === 'link') return [];
  const json = readJson(bodyOf(line));
  const headers = headersOf(line);
  return [
    change('a header more', withHeaders(line, [...headers, ['X-Trace-Id', 'b1946ac9']])),
    change(
      'header names in lower case',
      withHeaders(
        line,
        headers.map(([name, value]) => [name.toLowerCase(), value]),
      ),
    ),
    change('headers in another order', withHeaders(line, headers.toReversed())),
    ...(isObject(json)
      ? [
          change('a member more', withBody(line, { ...json, traceId: '7f00-b1946ac9' })),
          change('members in another order', withBody(line, Object.fromEntries(Object.entries(json).toReversed()))),
          change('written with blanks', withText(line, JSON.stringify(json, null, 2))),
        ]
      : []),
    ...(line.kind === 'delivery' ? [{ name: 'the same once more, at once', lines: [line, { ...line }] }] : []),
  ];
}

function statusChanges(line: CallLine): Change[] {
  const { response } = line.evidence;
  if (!response) return [];
  return [200, 201, 302, 400, 401, 403, 404, 409, 410, 422, 429, 500]
    .filter((status) => status !== response.status)
    .map((status) =>
      change(`status ${status}`, { ...line, evidence: { ...line.evidence, response: { ...response, status } } }),
    );
}

function deliveryChanges(line: DeliveryLine): Change[] {
  const { request } = line.evidence;
  const by = (method: string): RecordLine => ({
    ...line,
    evidence: { ...line.evidence, request: { ...request, method } },
  });
  return [
    change('sent by PUT', by('PUT')),
    { name: 'lost', lines: [] },
    change('answered with 200', { ...line, context: { ...line.context, answer: 200 } }),
    change('answered with 500', { ...line, context: { ...line.context, answer: 500 } }),
    change('signed wrong', { ...line, context: { ...line.context, signature: 'wrong' } }),
    change('under an event id of its own', { ...line, ids: { ...line.ids, eventId: 'another-id' } }),
    ...request.headers.map(([name]) =>
      change(
        `without ${name}`,
        withHeaders(
          line,
          request.headers.filter(([own]) => own !== name),
        ),
      ),
    ),
  ];
}

function change(name: string, line: RecordLine): Change {
  return { name, lines: [line] };
}

/** Other values for a member: another type, nothing, another text. */
function otherValues(value: unknown): unknown[] {
  if (typeof value === 'string') return [null, 17, '', `${value}x`, 'outra'];
  if (typeof value === 'number') return [null, String(value), value + 1];
  if (typeof value === 'boolean') return [null, !value, String(value)];
  if (value === null) return ['', 0];
  return [null, 'text'];
}

/** JSON pointers to the members of a value, two levels of them. */
function pointersIn(json: unknown, levels = 2): string[] {
  if (typeof json !== 'object' || json === null || levels === 0) return [];
  return Object.entries(json).flatMap(([name, value]) => [
    `/${name}`,
    ...pointersIn(value, levels - 1).map((pointer) => `/${name}${pointer}`),
  ]);
}

function at(json: unknown, pointer: string): unknown {
  return member(json, ...pointer.split('/').slice(1));
}

function replaced(json: unknown, pointer: string, value: unknown): unknown {
  const copy: unknown = structuredClone(json);
  const [name = '', parent] = placeIn(copy, pointer);
  if (parent) Reflect.set(parent, name, value);
  return copy;
}

function without(json: unknown, pointer: string): unknown {
  const copy: unknown = structuredClone(json);
  const [name = '', parent] = placeIn(copy, pointer);
  if (Array.isArray(parent)) parent.splice(Number(name), 1);
  else if (parent) Reflect.deleteProperty(parent, name);
  return copy;
}

function placeIn(json: unknown, pointer: string): [string | undefined, object | undefined] {
  const names = pointer.split('/').slice(1);
  const parent = at(json, names.length < 2 ? '' : `/${names.slice(0, -1).join('/')}`);
  return [names.at(-1), isObject(parent) || Array.isArray(parent) ? parent : undefined];
}

function bodyOf(line: Message): string {
  const { request, response } = line.evidence;
  return (line.kind === 'delivery' ? request.body : response?.body)?.text ?? '';
}

function headersOf({ kind, evidence }: Message): [string, string][] {
  return kind === 'delivery' ? evidence.request.headers : (evidence.response?.headers ?? []);
}

function withHeaders(line: Message, headers: [string, string][]): Message {
  const { request, response } = line.evidence;
  if (line.kind === 'delivery') return { ...line, evidence: { ...line.evidence, request: { ...request, headers } } };
  return response ? { ...line, evidence: { ...line.evidence, response: { ...response, headers } } } : line;
}

function withBody(line: Message, json: unknown): Message {
  return withText(line, JSON.stringify(json));
}

/** The message with another body; what was told of the one that it had is no longer so. */
function withText(line: Message, text: string): Message {
  const { told, ...rest } = line;
  const body = { text, encoding: 'utf-8', bytes: Buffer.byteLength(text) } as const;
  const { request, response } = rest.evidence;
  if (rest.kind === 'delivery') return { ...rest, evidence: { ...rest.evidence, request: { ...request, body } } };
  return response
    ? { ...rest, evidence: { ...rest.evidence, response: { ...response, body } } }
    : { ...rest, ...(told ? { told } : {}) };
}
