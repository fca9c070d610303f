import fc from 'fast-check';
import type { ClauseId } from '../contract/catalogue.ts';
import type { NfeOutcome } from '../contract/values.ts';
import type { JsonSchema } from '../generators/json.ts';
import { nearMissKinds, nearMissOf, type NearMiss } from '../generators/near-miss.ts';
import { authorisedResult, deniedResult, type NfeResultField } from '../schemas/invoice.ts';
import { validatedVerdict, verdictEvent } from '../schemas/verdict.ts';
import { mutant, type Mutant } from './mutant.ts';

/** Which clause a field of a schema belongs to; a missing field belongs to `absence`. */
interface FieldClauses<Field extends string> {
  readonly absence: ClauseId;
  readonly fields: Readonly<Record<Field, ClauseId>>;
}

/** One near miss of each keyword of a schema, at each field. */
function nearMisses(schema: JsonSchema): readonly NearMiss[] {
  const samples = fc.sample(nearMissOf(schema), { numRuns: 1_000, seed: 1 });
  return nearMissKinds(schema).flatMap(
    ({ keyword, pointer }) => samples.find((miss) => miss.keyword === keyword && miss.pointer === pointer) ?? [],
  );
}

/** A body with the fault of a near miss in place of what it had there. */
function spoilt(body: object, { value, keyword }: NearMiss, field: string): object {
  if (keyword === 'required') return Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
  const wrong: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, field) : value;
  return { ...body, [field]: wrong };
}

/** The mutants that a schema's near misses make. */
function mutantsOf<Field extends string>(
  topic: string,
  schema: JsonSchema,
  { absence, fields }: FieldClauses<Field>,
  make: (id: string, clause: ClauseId, spoil: (body: object) => object) => Mutant,
): readonly Mutant[] {
  const isField = (name: string): name is Field => name in fields;
  return nearMisses(schema).flatMap((miss) => {
    const field = miss.pointer.split('/')[1] ?? '';
    if (!isField(field)) return [];
    const isAbsent = miss.keyword === 'required' && miss.pointer === `/${field}`;
    const place = miss.pointer
      .slice(1)
      .replaceAll(/[^A-Za-z]+/g, '-')
      .toLowerCase();
    const id = `${topic}.near-miss-${place}-${miss.keyword.toLowerCase()}`;
    const whole = isAbsent ? miss : { ...miss, keyword: 'value' };
    return make(id, isAbsent ? absence : fields[field], (body) => spoilt(body, whole, field));
  });
}

/** Callbacks of one outcome that miss their schema narrowly. */
function ofCallbacks<Field extends NfeResultField>(
  outcome: NfeOutcome,
  schema: JsonSchema,
  clauses: FieldClauses<Field>,
): readonly Mutant[] {
  return mutantsOf('issuance-callback', schema, clauses, (id, clause, spoil) => {
    const values: readonly unknown[] = Object.values(spoil({}));
    const [value = ''] = values;
    // What is there and no text has a clause for all fields.
    const broken = value === null ? clauses.absence : typeof value === 'string' ? clause : 'issuance-callback.texts';
    return mutant(`${id}-${outcome.toLowerCase()}`, [broken], 'issuanceCallback', {
      body: (result, { settlement }) => (settlement.outcome === outcome ? spoil(result) : result),
    });
  });
}

const authorised: FieldClauses<NfeResultField> = {
  absence: 'issuance-callback.all-fields',
  fields: {
    tipo: 'issuance-callback.tipo',
    empresaId: 'issuance-callback.empresa-id',
    nfeId: 'issuance-callback.nfe-id',
    nfeStatus: 'issuance-callback.status-authorised',
    nfeMotivoStatus: 'issuance-callback.no-motivo-when-authorised',
    nfeLinkDanfe: 'issuance-callback.no-danfe-link',
    nfeLinkXml: 'issuance-callback.xml-link',
    nfeNumero: 'issuance-callback.numero-and-serie',
    nfeSerie: 'issuance-callback.numero-and-serie',
    nfeChaveAcesso: 'issuance-callback.chave',
    nfeDataEmissao: 'issuance-callback.data-emissao',
    nfeDataAutorizacao: 'issuance-callback.data-autorizacao',
    nfeNumeroProtocolo: 'issuance-callback.protocolo',
    nfeDigestValue: 'issuance-callback.no-digest',
  },
};

const ofDenial = 'issuance-callback.fields-of-denial';

const denied = {
  absence: 'issuance-callback.all-fields-when-denied',
  fields: {
    tipo: ofDenial,
    nfeStatus: 'issuance-callback.status-denied',
    nfeMotivoStatus: 'issuance-callback.motivo-of-denial',
    nfeLinkDanfe: ofDenial,
    nfeLinkXml: 'issuance-callback.no-xml-link-when-denied',
    nfeNumero: ofDenial,
    nfeSerie: ofDenial,
    nfeChaveAcesso: ofDenial,
    nfeDataEmissao: ofDenial,
    nfeDataAutorizacao: 'issuance-callback.no-data-autorizacao-when-denied',
    nfeNumeroProtocolo: 'issuance-callback.no-protocolo-when-denied',
    nfeDigestValue: ofDenial,
  },
} as const satisfies FieldClauses<string>;

const verdictClauses = {
  absence: 'verdict-event.fields',
  fields: {
    chaveAcesso: 'verdict-event.chave-acesso',
    validationStatus: 'verdict-event.validation-status',
    status: 'verdict-event.status',
    cStat: 'verdict-event.c-stat',
    xMotivo: 'verdict-event.x-motivo',
    protocolo: 'verdict-event.protocolo',
    dataAutorizacao: 'verdict-event.data-autorizacao',
    eventos: 'verdict-event.eventos',
    verifiedAt: 'verdict-event.verified-at',
  },
} as const satisfies FieldClauses<string>;

const envelopeClauses = {
  absence: 'verdict-event.envelope',
  fields: {
    version: 'verdict-event.version',
    event_id: 'verdict-event.event-id',
    event_type: 'verdict-event.event-type',
    occurred_at: 'verdict-event.occurred-at',
    data: 'verdict-event.envelope',
  },
} as const satisfies FieldClauses<string>;

/** Callbacks and events that miss their schemas by one keyword at one place. */
export const nearMissMutants: readonly Mutant[] = [
  ...ofCallbacks('Autorizada', authorisedResult, authorised),
  ...ofCallbacks('Negada', deniedResult, denied),
  ...mutantsOf('verdict-event', validatedVerdict, verdictClauses, (id, clause, spoil) =>
    mutant(id, [clause], 'verdictEvent', { data: spoil }),
  ),
  ...mutantsOf('verdict-event', verdictEvent, envelopeClauses, (id, clause, spoil) =>
    mutant(id, [clause], 'verdictEvent', { body: spoil }),
  ),
];
