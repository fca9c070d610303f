import type { Reply } from '../../simulator/http/reply.ts';
import { takingUnusualSignatures } from '../blind-to-signatures.ts';
import { atEndpoint, behindStages, type EndpointChange } from '../mutant.ts';
import { all, extended, withRepliesOf, withTopic, type Variant } from './variant.ts';
import { isObject } from '../../schemas/values.ts';

/** Has documents verified otherwise. */
function verifying(change: EndpointChange): Variant['change'] {
  return (rules) => behindStages(rules, atEndpoint('nfe-verification', change), 'endpoint');
}

/** An answer of endpoint 8 to a document that can't be read. */
function unread(what: string, codes: readonly string[], status: number, body: (code: unknown) => unknown): Variant {
  return {
    id: `variant.${what}`,
    change: withRepliesOf(['nfe-verification'], (reply) => {
      const code = isObject(reply.body) ? reply.body['code'] : undefined;
      return codes.some((one) => one === code) ? { ...reply, status, body: body(code) } : reply;
    }),
  };
}

const malformed = ['SIM-XML-MALFORMED', 'SIM-XML-TOO-COMPLEX'];
const withoutChave = ['SIM-XML-WITHOUT-CHAVE', 'SIM-XML-SEVERAL-INVOICES'];
const said = (code: unknown): object => ({ code, message: 'XML inválido' });
const judged = (validationStatus: string) => (): object => ({
  chaveAcesso: '',
  validation: { validationStatus, status: 'Desconhecida', reason: 'The document is not well-formed.' },
});

/** Refuses documents that show such a spelling; or, as the layout forbids white space between elements, rejects them. */
function particular(group: string, shows: RegExp, answer: Pick<Reply, 'status' | 'body'>): Variant {
  return {
    id: `variant.particular-about-${group}`,
    change: withRepliesOf(['nfe-verification'], (reply, { rawBody }) =>
      reply.status === 200 && shows.test(rawBody.toString('utf8')) ? { ...reply, ...answer } : reply,
    ),
  };
}

const spelt = { status: 422, body: said('LEIAUTE') };

/** Knows a chave some time after it was first asked for: a verdict settles, and is polled. Section 1. */
const lookedUpLate = (what: string, afterMs: number): Variant => ({
  id: `variant.lookups-that-are-to-be-polled${what}`,
  change(rules) {
    const firstMs = new Map<string, number>();
    return withRepliesOf(['chave-lookup'], (reply, { path }) => {
      const first = firstMs.get(path) ?? Date.now();
      firstMs.set(path, first);
      const isSettling = reply.status === 200 && Date.now() < first + afterMs;
      return isSettling ? { status: 404, body: { code: 10015004, message: 'Ainda não' } } : reply;
    })(rules);
  },
});

/** Tells by which of its nodes a lookup was answered: two of three in a row are the same. Section 2.7: the fields are not shown. */
const lookedUpAtNodes: Variant = {
  id: 'variant.lookups-at-two-nodes',
  change(rules) {
    let count = 0;
    return withRepliesOf(['chave-lookup'], (reply) =>
      reply.status === 200 ? { ...reply, body: extended(reply.body, { node: count++ % 3 < 2 ? 'a' : 'b' }) } : reply,
    )(rules);
  },
};

/** What the verification and the registries make of what they get. Sections 4.1 and 7.3, readings 18, 19 and 23. */
export const verificationVariants: readonly Variant[] = [
  lookedUpLate('', 300),
  lookedUpLate('-for-seconds', 2_500),
  unread('malformed-is-rejected', malformed, 200, judged('REJECTED')),
  unread('malformed-is-an-error', malformed, 200, judged('VALIDATION_ERROR')),
  unread('malformed-422', malformed, 422, said),
  unread('without-chave-is-rejected', withoutChave, 200, judged('REJECTED')),
  unread('without-chave-404', withoutChave, 404, said),
  {
    id: 'variant.verification-of-up-to-a-million-bytes',
    change: withTopic('nfeVerification', () => ({ largestBytes: 1_000_000 })),
  },
  {
    id: 'variant.verification-answers-with-status-alone',
    change: withTopic('nfeVerification', () => ({
      body: ({ validationStatus, chaveAcesso }) => ({ chave: chaveAcesso, validation: { validationStatus } }),
    })),
  },
  {
    id: 'variant.verification-always-anew',
    change: withTopic('verdict', () => ({ isFinal: () => false })),
  },
  {
    id: 'variant.registry-without-check-digits',
    change: all(
      withTopic('cpfLookup', () => ({
        isCpf: (text) => /^\d{11}$/.test(text),
        isBirthDate: (text) => /^\d{8}$/.test(text),
      })),
      withTopic('cnpjLookup', () => ({ isCnpj: (text) => /^\d{14}$/.test(text) })),
      withTopic('chaveLookup', () => ({ isChave: (text) => /^\d{44}$/.test(text) })),
    ),
  },
  {
    // The layout of the NF-e forbids prefixes, and some readers of it know no CDATA.
    id: 'variant.documents-by-the-letter-of-the-layout',
    change: withRepliesOf(['nfe-verification'], (reply, { rawBody }) =>
      reply.status === 200 && /<\w+:infNFe|<!\[CDATA\[/.test(rawBody.toString('utf8'))
        ? { status: 422, body: said('LAYOUT') }
        : reply,
    ),
  },
  particular('bytes', /^\uFEFF/, spelt),
  particular('what-stands-around', /^(?:<\?xml[^>]*>)?<\?exemplo/, spelt),
  particular('tags', /<infNFe [^<>]*='/, spelt),
  particular('references', /&#x000/, spelt),
  particular('white-space-between-elements', />\s+</, spelt),
  particular('white-space', />\s+<(?:protNFe|infProt|SignatureValue|KeyInfo)|>[\r\n]+<nfeProc/, {
    status: 200,
    body: judged('REJECTED')(),
  }),
  {
    // What is told of a number is not shown.
    id: 'variant.lookups-that-tell-little',
    change: withRepliesOf(['cnpj-lookup', 'cpf-lookup'], (reply) =>
      reply.status === 200 ? { ...reply, body: { situacao: 'REGULAR' } } : reply,
    ),
  },
  {
    id: 'variant.lookups-with-a-trace-id',
    change: withRepliesOf(['chave-lookup'], (reply) =>
      isObject(reply.body) ? { ...reply, body: { trace: crypto.randomUUID(), ...reply.body } } : reply,
    ),
  },
  lookedUpAtNodes,
  {
    // As short as may be, with a number of its own, and what the authority says in its language.
    id: 'variant.reason-with-a-number',
    change: withTopic('verdictEvent', ({ data }) => ({
      data: (verdict) => ({
        ...data(verdict),
        ...('reason' in verdict ? { reason: `Rejected, case ${Date.now()}: Rejeição 302 de uso não autorizado` } : {}),
      }),
    })),
  },
  {
    id: 'variant.accepted-with-a-word',
    change: withRepliesOf(['certificado-association', 'webhook-registration'], ({ status, body, ...rest }) =>
      status === 200
        ? { ...rest, status, content: { type: 'text/plain', bytes: Buffer.from('OK') } }
        : { ...rest, status, body },
    ),
  },
  {
    id: 'variant.dtd-word-refused',
    unlike: ['nfe-verification.dtd-word-taken'],
    change: verifying((request, context, answer) =>
      request.rawBody.includes('<!DOCTYPE') ? { status: 400, body: said(10015001) } : answer(request, context),
    ),
  },
  { id: 'variant.unusual-signatures-taken', change: verifying(takingUnusualSignatures) },
  {
    id: 'variant.refused-with-a-word',
    change: withRepliesOf(
      ['echo', 'empresa-registration', 'certificado-association', 'webhook-registration'],
      ({ status, body, ...rest }) =>
        status >= 400 && status < 500
          ? { ...rest, status, content: { type: 'text/plain', bytes: Buffer.from('Requisição inválida') } }
          : { ...rest, status, body },
    ),
  },
  {
    id: 'variant.verdicts-with-a-trace-id',
    change: withTopic('verdictEvent', ({ data }) => ({
      data: (verdict) => ({ trace: crypto.randomUUID(), ...data(verdict) }),
    })),
  },
];
