/**
 * What the value of a field can be that the contract names. A value is shown where it looks like its kind; texts that explain are
 * shown with care, and of `phrase` only words of a small vocabulary.
 */
export type FieldKind =
  | 'word'
  | 'code'
  | 'count'
  | 'time'
  | 'id'
  | 'chave'
  | 'protocol'
  | 'digest'
  | 'version'
  | 'link'
  | 'explaining'
  | 'phrase';

/** The fields of the contract whose values tell nobody's name, in the order of its sections. */
const contractFields = {
  // 2.2 and 2.3: the result of an issuance
  empresaId: 'id',
  nfeId: 'id',
  chave: 'chave',
  tipo: 'word',
  nfeStatus: 'word',
  nfeMotivoStatus: 'explaining',
  nfeLinkDanfe: 'link',
  nfeLinkXml: 'link',
  nfeNumero: 'count',
  nfeSerie: 'count',
  nfeChaveAcesso: 'chave',
  nfeDataEmissao: 'time',
  nfeDataAutorizacao: 'time',
  nfeNumeroProtocolo: 'protocol',
  nfeDigestValue: 'digest',
  // 2.4: a verdict
  chaveAcesso: 'chave',
  validationStatus: 'word',
  status: 'word',
  cStat: 'code',
  xMotivo: 'explaining',
  digestValue: 'digest',
  dataAutorizacao: 'time',
  verifiedAt: 'time',
  reason: 'explaining',
  // 2.5 and 2.6: echo, the platform envelope
  appKey: 'id',
  appName: 'id',
  echo: 'id',
  serverTime: 'time',
  errorType: 'count',
  code: 'code',
  message: 'explaining',
  // 4.1: requests and answers
  id: 'id',
  ambienteEmissao: 'word',
  linkDanfe: 'link',
  linkXml: 'link',
  timestamp: 'time',
  // 6.6: the envelope of an event
  version: 'version',
  event_id: 'id',
  event_type: 'word',
  occurred_at: 'time',
  // 7.3: errors of endpoints
  codigo: 'code',
  mensagem: 'explaining',
} as const satisfies Record<string, FieldKind>;

/** What else explains an error, in the words that others have for it. Anything may stand there: only known words are shown. */
const usualFields = {
  error: 'phrase',
  erro: 'phrase',
  errors: 'phrase',
  erros: 'phrase',
  detail: 'phrase',
  detalhe: 'phrase',
  title: 'phrase',
  type: 'phrase',
  motivo: 'phrase',
  description: 'phrase',
  descricao: 'phrase',
  path: 'phrase',
} as const satisfies Record<string, FieldKind>;

/** Of documents and of the tax authority, in XML. */
const documentFields = {
  versao: 'version',
  tpAmb: 'count',
  tpEmis: 'count',
  tpEvento: 'count',
  nSeqEvento: 'count',
  mod: 'count',
  serie: 'count',
  nNF: 'count',
  cUF: 'count',
  nItem: 'count',
  chNFe: 'chave',
  nProt: 'protocol',
  dhRecbto: 'time',
  dhEmi: 'time',
  dhSaiEnt: 'time',
  dhEvento: 'time',
  dhRegEvento: 'time',
} as const satisfies Record<string, FieldKind>;

const kinds: ReadonlyMap<string, FieldKind> = new Map(
  Object.entries({ ...usualFields, ...documentFields, ...contractFields }).map(([name, kind]) => [
    name.toLowerCase(),
    kind,
  ]),
);

/** Members that are objects or flags: their names are the contract's, too. */
const furtherNames = ['success', 'data', 'protocolo', 'numero', 'eventos', 'validation', 'uri', 'token', 'sign'];

const longestName = 100;

/**
 * What the value of a field can be, letter case aside; `undefined` of a field that the contract does not name. It names no field of the
 * link to the XML of an invoice. Section 2.7.
 */
export function kindOfField(name: string | undefined, parent?: string): FieldKind | undefined {
  if (name === undefined) return undefined;
  if (name === 'numero') return parent === 'protocolo' ? 'protocol' : undefined;
  return kinds.get(name.toLowerCase()) ?? (/link|url/i.test(name.slice(0, longestName)) ? 'link' : undefined);
}

/** Names of members as the contract has them, in lower case. */
export const fieldNames: ReadonlySet<string> = new Set([
  ...kinds.keys(),
  ...furtherNames.map((name) => name.toLowerCase()),
]);
