import type { StatedClause } from '../clause.ts';

/** What is seen in any event of a verdict. */
const ofEvents = {
  needs: ['verification-webhook', 'verified-document'],
  buildsOn: ['verdict-event.envelope'],
} as const;

/** What the contract says of the event that reports a verdict. Section 6.6. */
export const verdictEvent = [
  {
    id: 'verdict-event.sent-when-settled',
    section: '6.6',
    statement: 'An event is sent when a verification settles.',
    needs: ['verification-webhook', 'verified-document'],
    buildsOn: ['nfe-verification.validation-status'],
  },
  {
    id: 'verdict-event.envelope',
    section: '6.6',
    statement: 'The body is the versioned envelope with the verdict in `data`, an object.',
    needs: ['verification-webhook', 'verified-document'],
    buildsOn: ['verdict-event.sent-when-settled'],
  },
  {
    id: 'verdict-event.version',
    section: '6.6',
    statement: '`version` is the string `1.0`.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.event-id',
    section: '6.6',
    statement: '`event_id` is a string and the event id of the header.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.event-type',
    section: '6.6',
    statement: '`event_type` is `invoice.verify.completed`, in the body and in the header.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.occurred-at',
    section: '6.6',
    statement: '`occurred_at` is a time in ISO 8601, UTC.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.not-on-issuance-channel',
    section: '6.6',
    statement: 'No verdict comes on the issuance channel.',
    needs: ['callbacks', 'verification-webhook', 'verified-document'],
    buildsOn: ['verdict-event.sent-when-settled'],
  },
  {
    id: 'verdict-event.fields',
    section: '2.4',
    statement:
      'The verdict has `chaveAcesso`, `validationStatus`, `status`, `eventos` and `verifiedAt`, whatever it is.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.chave-acesso',
    section: '2.4',
    statement: '`chaveAcesso` is the 44-digit chave of the document.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.validation-status',
    section: '2.4',
    statement: '`validationStatus` is `VALIDATED`, `REJECTED` or `VALIDATION_ERROR`.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.status',
    section: '2.4',
    statement: '`status` is one of the six fiscal states.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.c-stat',
    section: '2.4',
    statement: '`cStat` is a string or null.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.x-motivo',
    section: '2.4',
    statement: '`xMotivo` is a string or null.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.protocolo',
    section: '2.4',
    statement: '`protocolo` is null or an object with the strings `numero` and `digestValue`.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.data-autorizacao',
    section: '2.4',
    statement: '`dataAutorizacao` is null or a time in ISO 8601, UTC.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.null-not-left-out',
    section: '2.4',
    level: 'implied',
    statement:
      '`cStat`, `xMotivo`, `protocolo` and `dataAutorizacao` are null where they have no value, and not left out.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.eventos',
    section: '2.4',
    statement: '`eventos` is an array, empty where there are none.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.verified-at',
    section: '2.4',
    statement: '`verifiedAt` is a time in ISO 8601, UTC.',
    ...ofEvents,
  },
  {
    id: 'verdict-event.no-reason-when-validated',
    section: '2.4',
    statement: '`reason` is absent from a `VALIDATED` verdict.',
    needs: ['verification-webhook', 'valid-document'],
    buildsOn: ['verdict-event.validation-status'],
  },
  {
    id: 'verdict-event.reason-when-rejected',
    section: '2.4',
    statement: '`reason` is a text in a `REJECTED` verdict.',
    needs: ['verification-webhook', 'rejected-document'],
    buildsOn: ['verdict-event.validation-status'],
  },
  {
    id: 'verdict-event.reason-stable',
    section: '2.4',
    statement: '`reason` is stable: the same verdict on the same document has the same text, but for its digits.',
    needs: ['verification-webhook', 'rejected-document'],
    buildsOn: ['verdict-event.reason-when-rejected'],
  },
  {
    id: 'verdict-event.reason-in-english',
    section: '2.4',
    level: 'implied',
    statement: '`reason` is in English, whatever language was asked for.',
    needs: ['verification-webhook', 'rejected-document'],
    buildsOn: ['verdict-event.reason-when-rejected'],
  },
  {
    id: 'verdict-event.reason-when-unreachable',
    section: '2.4',
    statement: '`reason` is a text in a `VALIDATION_ERROR` verdict.',
    needs: ['movable-clock', 'verification-webhook', 'verified-document'],
    buildsOn: ['verdict-event.validation-status'],
  },
  {
    id: 'verdict-event.nulls-when-unreachable',
    section: '2.4',
    statement: '`cStat` is null when the tax authority was not reached.',
    needs: ['movable-clock', 'verification-webhook', 'verified-document'],
    buildsOn: ['verdict-event.envelope'],
  },
  {
    id: 'verdict-event.return-verbatim',
    section: '2.4',
    statement: '`cStat` and `xMotivo` are what the tax authority returned, verbatim.',
    needs: ['movable-clock', 'verification-webhook', 'empresa', 'authorised-issuance'],
    buildsOn: ['verdict-event.envelope'],
  },
  {
    id: 'verdict-event.eventos-of-the-authority',
    section: '2.4',
    statement: '`eventos` has the events that the tax authority registered.',
    needs: ['verification-webhook', 'empresa', 'authorised-issuance'],
    buildsOn: ['verdict-event.eventos'],
  },
  {
    id: 'verdict-event.no-description-fields',
    section: '2.4',
    statement: 'No field of the event ends in `Description`: it carries values that no language changes.',
    needs: ['verification-webhook', 'verified-document'],
    buildsOn: ['verdict-event.sent-when-settled'],
  },
  {
    id: 'verdict-event.fields-kept',
    section: '9',
    level: 'implied',
    statement: 'A field of `data` that an earlier event had, of this run or of one before, is still there.',
    needs: ['verification-webhook', 'verified-document'],
    buildsOn: ['verdict-event.sent-when-settled'],
  },
] as const satisfies readonly StatedClause[];
