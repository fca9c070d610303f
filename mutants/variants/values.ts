import { behindStages } from '../mutant.ts';
import { all, type Variant, withReplies, withRepliesOf, withTopic } from './variant.ts';
import { findRoute } from '../../simulator/rules/route.ts';
import { isObject } from '../../schemas/values.ts';

/** Times in another spelling of ISO 8601 in UTC; the echo's has three digits in all. Reading 22. */
function timed(
  what: string,
  spell: (iso: string) => string,
  spellEcho: (iso: string) => string = (iso) => iso,
): Variant {
  const time = ({ time: own }: { readonly time: (ms: number) => string }) => ({ time: (ms: number) => spell(own(ms)) });
  return {
    id: `variant.times-${what}`,
    change: all(
      withTopic('issuanceCallback', time),
      withTopic('verdictEvent', time),
      withTopic('verdict', ({ verdict, ...own }) => ({
        ...time(own),
        verdict(right) {
          const made = verdict(right);
          return { ...made, dataAutorizacao: made.dataAutorizacao && spell(made.dataAutorizacao) };
        },
      })),
      withTopic('echo', ({ serverTime }) => ({ serverTime: (now) => spellEcho(serverTime(now)) })),
    ),
  };
}

const offset = (iso: string): string => iso.replace('Z', '+00:00');
const fraction = (digits: string) => (iso: string) => iso.replace(/(?:\.\d+)?(Z|\+00:00)$/, `${digits}$1`);

/** The clock of the service, off by so many seconds, for all who have none of their own. */
function skewed(what: string, seconds: number): Variant {
  return {
    id: `variant.clock-${what}`,
    change: (rules) =>
      behindStages(rules, (request, context, original) => {
        const isSystem = (context.application?.clock ?? 'system') === 'system';
        // An invoice that was issued in the future would be decided so much later.
        const isIssuance = findRoute(request.method, request.path)?.endpoint.name === 'nfe-issuance';
        const isSkewed = isSystem && !(isIssuance && original.name === 'endpoint');
        return original.answer(request, { ...context, nowMs: context.nowMs + (isSkewed ? seconds * 1000 : 0) });
      }),
  };
}

const linkFields = ['linkDanfe', 'linkDownloadXml'] as const;

/** Other links in the answers to a query and in callbacks. */
function linked(what: string, change: (url: string) => string): Variant {
  const dressed = (link: unknown): unknown => (typeof link === 'string' && link !== '' ? change(link) : link);
  return {
    id: `variant.links-${what}`,
    change: all(
      withRepliesOf(['nfe-query'], (reply) => {
        const { body } = reply;
        if (!isObject(body)) return reply;
        const links = linkFields.map((name) => [name, dressed(body[name])] as const);
        return { ...reply, body: { ...body, ...Object.fromEntries(links) } };
      }),
      withTopic('issuanceCallback', ({ xmlLink }) => ({
        xmlLink: (invoice, link) => String(dressed(xmlLink(invoice, link))),
      })),
    ),
  };
}

/** Another name or place of the link to the XML, and another emptiness of links that are not there. Reading 17. */
function unlinked(what: string, none: null | undefined | '', placed: (link: unknown) => object): Variant {
  return {
    id: `variant.links-${what}`,
    change: withRepliesOf(['nfe-query'], (reply) => {
      if (!isObject(reply.body)) return reply;
      const { linkDanfe, linkDownloadXml, ...rest } = reply.body;
      return { ...reply, body: { ...rest, linkDanfe: linkDanfe || none, ...placed(linkDownloadXml || none) } };
    }),
  };
}

/** A link that was told, and when. */
interface ToldLink {
  readonly link: unknown;
  readonly atMs: number;
}

/** Tells the link that was told before, of a query or of the callback, for so long; then a fresh one. Reading 16. */
function toldAgain(what: string, seconds: number): Variant {
  return {
    id: `variant.links-${what}`,
    change(rules) {
      const told = new Map<string, ToldLink>();
      const keyOf = (chave: unknown, name: string): string => `${String(chave)} ${name}`;
      const living = (key: string, link: unknown, atMs: number): unknown => {
        const before = told.get(key);
        if (before && atMs - before.atMs < seconds * 1000) return before.link;
        told.set(key, { link, atMs });
        return link;
      };
      return all(
        withRepliesOf(['nfe-query'], (reply, _request, { nowMs }) => {
          const { body } = reply;
          if (!isObject(body)) return reply;
          const links = linkFields
            .filter((name) => body[name])
            .map((name) => [name, living(keyOf(body['chaveAcesso'], name), body[name], nowMs)] as const);
          return { ...reply, body: { ...body, ...Object.fromEntries(links) } };
        }),
        withTopic('issuanceCallback', ({ xmlLink }) => ({
          xmlLink(invoice, fresh) {
            const link = xmlLink(invoice, fresh);
            const atMs = invoice.settlement.settledMs;
            return link && String(living(keyOf(invoice.chave, 'linkDownloadXml'), link, atMs));
          },
        })),
      )(rules);
    },
  };
}

/** Other ids of companies, told from and turned back into those that are kept. */
function identified(what: string, tell: (id: string) => string, keep: (id: string) => string): Variant {
  const pathWith = (path: string, change: (id: string) => string): string =>
    path.replace(/(?<=\/empresas\/)[^/]+/, (segment) => encodeURIComponent(change(decodeURIComponent(segment))));
  return {
    id: `variant.company-ids-${what}`,
    change: all(
      (rules) =>
        behindStages(
          rules,
          (request, context, endpoint) => endpoint.answer({ ...request, path: pathWith(request.path, keep) }, context),
          'endpoint',
        ),
      withTopic('empresaRegistration', ({ empresaId }) => ({
        empresaId: (empresa) => tell(String(empresaId(empresa))),
      })),
      withTopic('certificadoAssociation', ({ body }) => ({ body: (id, certificate) => body(tell(id), certificate) })),
      withTopic('issuanceCallback', ({ body }) => ({
        body: (result, invoice) => body({ ...result, empresaId: tell(result.empresaId) }, invoice),
      })),
    ),
  };
}

/** A UUID as one large number, and back. */
const numberOf = (id: string): string => String(BigInt(`0x1${id.replaceAll('-', '')}`));
function uuidOf(number: string): string {
  if (!/^\d{30,50}$/.test(number)) return number;
  const hex = BigInt(number).toString(16).slice(1).toUpperCase();
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-');
}

/** Times. Section 2 and reading 22. */
export const timeVariants: readonly Variant[] = [
  timed('with-offset', offset, offset),
  timed('without-fraction', fraction('')),
  timed('without-seconds-of-zero', (iso) => iso.replace(/(T\d\d:\d\d)(?::00)?(?:\.0+)?(?=Z$)/, '$1')),
  timed('with-comma', (iso) => iso.replace('.', ',')),
  timed('in-basic-format', (iso) => iso.replace(/[-:]/g, '')),
  timed('of-one-digit', fraction('.1')),
  timed('of-six-digits', fraction('.123456')),
  timed('of-nine-digits-with-offset', (iso) => offset(fraction('.123456789')(iso)), offset),
  {
    id: 'variant.times-of-authorisation-in-brazil',
    change: withTopic('issuanceCallback', ({ body }) => ({
      body(result, invoice) {
        const time = result.nfeDataAutorizacao;
        return body(
          { ...result, nfeDataAutorizacao: time.replace(/^(\d+)-(\d+)-(\d+)T(.{8}).*$/, '$3/$2/$1 $4') },
          invoice,
        );
      },
    })),
  },
];

/** Clocks. Section 5.1. */
export const clockVariants: readonly Variant[] = [skewed('2-seconds-ahead', 2), skewed('2-seconds-behind', -2)];

/** Links. Section 8 and reading 17. */
export const linkVariants: readonly Variant[] = [
  linked('with-query', (url) => `${url}?expires=600&sig=a%2Bb%3D&x=`),
  linked('with-words-of-the-contract', (url) => `${url}?ambiente=Homologacao&status=Autorizada&recurso=consulta`),
  linked('with-fragment', (url) => `${url}#doc`),
  linked('with-scheme-in-capitals', (url) => url.replace('http:', 'HTTP:')),
  linked('with-user', (url) => url.replace('//', '//leitor@')),
  linked('with-long-query', (url) => `${url}?X-Amz-Signature=${'a1b2'.repeat(400)}`),
  unlinked('null', null, (linkXml) => ({ linkXml })),
  unlinked('absent', undefined, (urlDoXML) => ({ urlDoXML })),
  unlinked('empty', '', (xml) => ({ xml })),
  unlinked('behind-other-addresses', null, (linkXml) => ({
    xmlns: 'http://www.portalfiscal.inf.br/nfe',
    linkXmlCancelamento: 'http://127.0.0.1:9/',
    linkXml,
  })),
  unlinked('in-an-object', '', (xml) => ({ xmlSchema: 'http://127.0.0.1:9/nfe_v4.00.xsd', links: { xml } })),
  toldAgain('told-again-while-they-live', 600),
  toldAgain('told-again-for-half-their-life', 300),
];

/** Ids of companies. Section 2.2. */
export const companyIdVariants: readonly Variant[] = [
  identified('numbers', numberOf, uuidOf),
  identified(
    'long',
    (id) => `${'e'.repeat(100)}-${id}`,
    (id) => id.replace(/^e{100}-/, ''),
  ),
  identified(
    'in-lower-case',
    (id) => id.toLowerCase(),
    (id) => id.toUpperCase(),
  ),
  identified(
    'with-signs',
    (id) => `emp.${id}~1`,
    (id) => id.replace(/^emp\.(.*)~1$/, '$1'),
  ),
  identified(
    'as-base64-and-urn',
    (id) => `urn:emp:${id}@1==`,
    (id) => id.replace(/^urn:emp:(.*)@1==$/, '$1'),
  ),
  identified(
    'with-every-sign',
    (id) => `c$&'();,+=!*:@%-${id}`,
    (id) => id.replace(/^c\$&'\(\);,\+=!\*:@%-/, ''),
  ),
  identified(
    'with-slashes-and-escapes',
    (id) => `a/b%2F50%-${id}`,
    (id) => id.replace('a/b%2F50%-', ''),
  ),
  identified(
    'that-are-names',
    (id) => `Padaria São José ${id}`,
    (id) => id.replace(/^Padaria São José /, ''),
  ),
];

/** Nothing in callbacks of denials but what must be there. Reading 21. */
export const emptyVariants: readonly Variant[] = [
  {
    id: 'variant.denials-without-number',
    change: withTopic('issuanceCallback', ({ body }) => ({
      body(result, invoice) {
        const none = { nfeNumero: '', nfeSerie: '', nfeChaveAcesso: '', nfeDataEmissao: '' };
        return body(result.nfeStatus === 'Negada' ? { ...result, ...none } : result, invoice);
      },
    })),
  },
  {
    id: 'variant.bare-answers-empty',
    change: withRepliesOf(['certificado-association', 'webhook-registration'], ({ status, body, after, ...rest }) => ({
      ...rest,
      status,
      ...(status === 200 ? {} : { body }),
      ...(after ? { after } : {}),
    })),
  },
  {
    id: 'variant.bare-answers-of-text',
    change: withRepliesOf(['certificado-association', 'webhook-registration'], (reply) =>
      reply.status === 200 ? { ...reply, content: { type: 'text/plain', bytes: Buffer.from('OK') } } : reply,
    ),
  },
  {
    id: 'variant.bare-answers-null',
    change: withRepliesOf(['certificado-association', 'webhook-registration'], (reply) =>
      reply.status === 200 ? { ...reply, content: { type: 'application/json', bytes: Buffer.from('null') } } : reply,
    ),
  },
  {
    id: 'variant.error-types-of-429',
    change: withReplies(
      () => (reply) =>
        reply.status === 429 && isObject(reply.body) ? { ...reply, body: { ...reply.body, errorType: 3 } } : reply,
    ),
  },
  {
    id: 'variant.multipart-without-boundary-as-500',
    change: withRepliesOf(['certificado-association'], (reply, { contentType }) =>
      contentType !== 'multipart/form-data'
        ? reply
        : { status: 500, content: { type: 'text/html', bytes: Buffer.from('<pre>Error: Boundary not found</pre>') } },
    ),
  },
];
