import { randomUUID } from 'node:crypto';
import { deliver, newEventId } from './deliveries.ts';
import { digestIn } from './documents.ts';
import { refusedWithCode, type Answer, type Received } from './messages.ts';
import type { Application, AuthorityRecord, World } from './world.ts';
import { readXml } from './xml-reading.ts';

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
