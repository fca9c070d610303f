import { SaxesParser } from 'saxes';
import { randomUUID } from 'node:crypto';
import { objectIn, type Answer, type Received, refusedWithCode, textFor } from './gateway.ts';
import type { Application, World, AuthorityRecord } from './world.ts';
import { deliver, newEventId } from './deliveries.ts';
import { digestIn } from './documents.ts';

/** What reading a document came to. */
type Reading =
  | { readonly kind: 'refused'; readonly code: string; readonly why: string }
  | { readonly kind: 'broken' }
  | { readonly kind: 'read'; readonly document: string; readonly chave: string | undefined };

const largestBytes = 1_048_576;

/** Reads a document for verification; `refused` is what section 7.3 fixes at 400, `broken` is what is not well-formed. */
function readXml(rawBody: Buffer): Reading {
  if (rawBody.toString('latin1').trim() === '') return refused('VX-1', 'Documento vazio.');
  if (rawBody.length > largestBytes) return refused('VX-2', 'Documento acima de 1 MB.');
  const document = decoded(rawBody);
  if (document === undefined) return refused('VX-3', 'Codificação não suportada: use UTF-8.');
  const { hasDoctype, isBroken, chave } = scanned(document);
  if (hasDoctype) return refused('VX-4', 'DTD não é permitida.');
  return isBroken ? { kind: 'broken' } : { kind: 'read', document, chave };
}

function refused(code: string, why: string): Reading {
  return { kind: 'refused', code, why };
}

/** The text of a body in UTF-8 that does not declare to be anything else. */
function decoded(rawBody: Buffer): string | undefined {
  const declaration = /^[^<]{0,8}<\?xml[^>]*/.exec(rawBody.toString('latin1'))?.[0] ?? '';
  const declared = /\sencoding\s*=\s*["']([^"']*)/.exec(declaration)?.[1];
  if (declared !== undefined && declared.toLowerCase() !== 'utf-8') return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(rawBody);
  } catch {
    return undefined;
  }
}

function scanned(document: string): { hasDoctype: boolean; isBroken: boolean; chave: string | undefined } {
  const found: ReturnType<typeof scanned> = { hasDoctype: false, isBroken: false, chave: undefined };
  const parser = new SaxesParser({ xmlns: true });
  parser.on('doctype', () => void (found.hasDoctype = true));
  parser.on('error', () => void (found.isBroken = true));
  parser.on('opentag', ({ local, attributes }) => {
    const id = attributes['Id']?.value ?? '';
    if (local === 'infNFe') found.chave ??= /^NFe(\d{44})$/.exec(id)?.[1];
  });
  parser.write(document).close();
  return found;
}

/** Returns a message, and says who sent it. Endpoint 1. */
export function echo(request: Received, { key, name }: Application, world: World): Answer {
  const message = objectIn(request.rawBody)?.get('message');
  const requestId = randomUUID();
  if (typeof message !== 'string') {
    return { status: 422, json: { success: false, errorType: 3, code: 422000, message: 'message?', requestId } };
  }
  const serverTime = new Date(world.nowMs()).toISOString().replace('Z', '+00:00');
  const data = { serverTime, ambiente: 'sandbox', appName: name, appKey: key, echo: message };
  return {
    status: 200,
    headers: { 'set-cookie': `SERVERID=n${requestId.slice(0, 2)}; Path=/` },
    json: { requestId, data, message: textFor('success', request), success: true, errorType: 0, code: 0 },
  };
}

/** What the registries know: examples that everybody uses, and numbers that others take for unknown. */
const companies: Readonly<Record<string, string>> = {
  '11222333000181': 'PAPELARIA DO EXEMPLO',
  '99999999040495': 'FILIAL 404',
};
const people: Readonly<Record<string, string>> = { '52998224725': '29021988', '40440440408': '31121999' };

/** Looks a company up. Endpoint 10. */
export function lookUpCnpj(
  _request: Received,
  _owner: Application,
  world: World,
  variables: readonly string[],
): Answer {
  const [cnpj = ''] = variables;
  if (!/^\d{14}$/.test(cnpj)) return refusedWithCode(422, 422014, 'O CNPJ tem 14 dígitos.');
  if (!isKnown(companies[cnpj] !== undefined, world)) return refusedWithCode(404, 404001, 'CNPJ não consta.');
  return { status: 200, json: { nome: companies[cnpj] ?? 'EMPRESA', data: '2001-02-03', requestId: randomUUID() } };
}

/** Looks a person up, whose birth date has to be right. Endpoint 11. */
export function lookUpCpf(_request: Received, _owner: Application, world: World, variables: readonly string[]): Answer {
  const [cpf = '', nascimento = ''] = variables;
  if (!/^\d{11}$/.test(cpf)) return refusedWithCode(422, 422011, 'O CPF tem 11 dígitos.');
  if (!isDate(nascimento)) return refusedWithCode(422, 422008, 'A data de nascimento é DDMMAAAA.');
  if (!isKnown(people[cpf] === nascimento, world)) return refusedWithCode(404, 404002, 'CPF ou data não consta.');
  return { status: 200, json: { nome: 'PESSOA DE EXEMPLO', data: '2001-02-03', requestId: randomUUID() } };
}

function isKnown(isOwn: boolean, { settings: { numbers } }: World): boolean {
  return numbers === 'all' || (numbers === 'own' && isOwn);
}

/** Whether it is a day of the calendar, as DDMMYYYY. */
function isDate(text: string): boolean {
  const [, day, month, year] = /^(\d\d)(\d\d)(\d{4})$/.exec(text) ?? [];
  const iso = `${year}-${month}-${day}`;
  const ms = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(iso);
}

type VerdictState = 'VALIDATED' | 'REJECTED' | 'VALIDATION_ERROR';

/** Judges a document, and tells the verdict a little later as an event; each time anew. Endpoint 8. */
export function verifyDocument(request: Received, owner: Application, world: World): Answer {
  const reading = readXml(request.rawBody);
  if (reading.kind === 'refused') return refusedWithCode(400, reading.code, reading.why);
  if (reading.kind === 'broken') return answerOf('VALIDATION_ERROR', null);
  const { chave, document } = reading;
  if (chave === undefined) return refusedWithCode(400, 'VX-5', 'O documento não traz uma chave.');
  const record = world.records.get(chave);
  const digest = digestIn(document);
  world.firstSeen.set(chave, world.firstSeen.get(chave) ?? digest);
  const state = judged(chave, digest, world);
  world.verdicts.set(`${owner.key} ${chave}`, state);
  const verifiedMs = world.nowMs();
  const isLost = world.settings.isLosingOne && !world.hasLost && record?.status === 'Cancelada';
  world.hasLost ||= isLost;
  if (!isLost)
    world.later(world.settings.settleMs, () => tell(owner, verdictOf(chave, state, record, verifiedMs), world));
  return answerOf(state, chave);
}

function judged(chave: string, digest: string, { settings, records, firstSeen }: World): VerdictState {
  const record = records.get(chave);
  switch (settings.documents) {
    case 'all':
      return digest === (record?.digest ?? firstSeen.get(chave)) ? 'VALIDATED' : 'REJECTED';
    case 'none':
      return 'REJECTED';
    case 'unjudged':
      return 'VALIDATION_ERROR';
    case 'own':
      return record?.digest === digest && record.status === 'Autorizada' ? 'VALIDATED' : 'REJECTED';
  }
}

/** Tells the last verdict on a chave, or what is on record. Endpoint 9. */
export function lookUpChave(
  _request: Received,
  owner: Application,
  world: World,
  variables: readonly string[],
): Answer {
  const [chave = ''] = variables;
  if (!/^\d{44}$/.test(chave)) return refusedWithCode(422, 'VX-6', 'A chave tem 44 dígitos.');
  const record = world.records.get(chave);
  const known = world.verdicts.get(`${owner.key} ${chave}`);
  if (known === undefined && !record) return refusedWithCode(404, '10015004', 'Chave não localizada.');
  return answerOf(known ?? judged(chave, record?.digest ?? '', world), chave);
}

/** `data` is Portuguese for date: this is no envelope. */
function answerOf(validationStatus: string, chave: string | null): Answer {
  const now = new Date().toISOString();
  const json = { requestId: randomUUID(), data: now.slice(0, 10), nota: { chave }, validation: { validationStatus } };
  return { status: 200, json };
}

/** The verdict as an event tells it. Section 2.4. */
function verdictOf(
  chave: string,
  state: VerdictState,
  record: AuthorityRecord | undefined,
  verifiedMs: number,
): Readonly<Record<string, unknown>> {
  const isReached = record !== undefined && state !== 'VALIDATION_ERROR';
  const isCancelled = record?.status === 'Cancelada';
  return {
    chaveAcesso: chave,
    validationStatus: state,
    status: isReached ? record.status : 'NaoEncontrada',
    cStat: isReached ? (isCancelled ? '101' : '100') : null,
    xMotivo: isReached ? (isCancelled ? 'Cancelamento homologado' : 'Autorizado o uso da NF-e') : null,
    protocolo: isReached ? { numero: record.protocol, digestValue: record.digest, uf: 'PR' } : null,
    dataAutorizacao: isReached ? utc(record.authorizedMs) : null,
    eventos: isReached && isCancelled ? [{ tipo: '110111', descricao: 'Cancelamento' }] : [],
    verifiedAt: utc(verifiedMs),
    ...(state === 'VALIDATED' ? {} : { reason: reasons[state] }),
  };
}

const reasons = {
  REJECTED: 'The document is not the one that the authority holds as authorised.',
  VALIDATION_ERROR: 'The document could not be judged.',
} as const;

/** A time without fraction. */
function utc(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d+Z$/, '+00:00');
}

function tell(owner: Application, data: Readonly<Record<string, unknown>>, world: World): void {
  const [eventId, eventType] = [newEventId(), 'invoice.verify.completed'];
  const occurred = new Date(world.nowMs()).toISOString().replace('Z', '000Z');
  const body = {
    data,
    tenant: owner.key,
    occurred_at: occurred,
    event_type: eventType,
    event_id: eventId,
    version: '1.0',
  };
  for (const url of owner.verdictUrls) {
    void deliver({ url, eventType, eventId, body, secret: owner.secret }, world);
  }
}
