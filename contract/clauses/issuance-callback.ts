import { promisesOfCallbacks, type StatedClause } from '../clause.ts';

/** What is seen in the callback of an authorised invoice, and mostly in that of a denied one as well. */
const ofAuthorisation = {
  needs: ['callbacks', 'empresa', 'authorised-issuance'],
  buildsOn: promisesOfCallbacks,
} as const;

/** What is seen in the callback of a denied invoice. */
const ofDenial = {
  needs: ['callbacks', 'empresa', 'denied-issuance'],
  buildsOn: ['issuance-callback.called-back-when-denied'],
} as const;

/** What the contract says of the callback that reports the outcome of an issuance. Sections 2.3, 4.1, 6. */
export const issuanceCallback = [
  {
    id: 'issuance-callback.called-back-when-authorised',
    section: '6',
    statement: 'An authorisation is called back, without any subscription.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    someNeed: ['other-empresa'],
  },
  {
    id: 'issuance-callback.called-back-when-denied',
    section: '6',
    statement: 'A denial is called back, without any subscription.',
    needs: ['callbacks', 'empresa', 'denied-issuance'],
    someNeed: ['other-empresa'],
    buildsOn: ['nfe-issuance.denial-accepted'],
  },
  {
    id: 'issuance-callback.bare-object',
    section: '2.3',
    statement: 'The body is the bare result object, without a platform envelope.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.all-fields',
    section: '2.3',
    statement: 'All fourteen fields are present; one without a value is an empty text.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.all-fields-when-denied',
    section: '2.3',
    statement: 'All fourteen fields are present in the callback of a denial, too.',
    ...ofDenial,
  },
  {
    id: 'issuance-callback.texts',
    section: '2.3',
    statement: 'Every field is a string.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.tipo',
    section: '2.3',
    statement: '`tipo` is `NF-e`.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.empresa-id',
    section: '2.3',
    statement: '`empresaId` is the company that issued.',
    ...ofAuthorisation,
    someNeed: ['other-empresa'],
    buildsOn: ['issuance-callback.nfe-id'],
  },
  {
    id: 'issuance-callback.nfe-id',
    section: '2.3',
    statement: '`nfeId` is the `id` that was sent at issuance.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.status-authorised',
    section: '2.3',
    statement: '`nfeStatus` of an authorised invoice is `Autorizada`.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.status-denied',
    section: '2.3',
    statement: '`nfeStatus` of a denied invoice is `Negada`.',
    ...ofDenial,
  },
  {
    id: 'issuance-callback.motivo-of-denial',
    section: '2.3',
    statement: "`nfeMotivoStatus` of a denial is the tax authority's status code and its description.",
    ...ofDenial,
  },
  {
    id: 'issuance-callback.no-motivo-when-authorised',
    section: '2.3',
    statement: '`nfeMotivoStatus` is empty when the invoice was authorised.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.no-danfe-link',
    section: '2.3',
    statement: '`nfeLinkDanfe` is always empty.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.xml-link',
    section: '2.3',
    statement: '`nfeLinkXml` of an authorised invoice is a link, an absolute http or https URL.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.no-xml-link-when-denied',
    section: '2.3',
    statement: '`nfeLinkXml` is empty when the invoice was denied.',
    ...ofDenial,
  },
  {
    id: 'issuance-callback.xml-link-alive',
    section: '2.3',
    statement: 'The link to the XML works for 10 minutes.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: ['issuance-callback.xml-link'],
  },
  {
    id: 'issuance-callback.xml-link-expires',
    section: '8',
    statement: 'The link to the XML is dead after 10 minutes.',
    needs: ['passing-time', 'callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: ['issuance-callback.xml-link'],
  },
  {
    id: 'issuance-callback.xml-of-the-invoice',
    section: '2.3',
    level: 'implied',
    statement: 'The XML behind the link carries the chave of the callback, and its number, series and protocol.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: ['issuance-callback.nfe-id', 'issuance-callback.xml-link-alive', 'issuance-callback.chave'],
  },
  {
    id: 'issuance-callback.numero-and-serie',
    section: '2.3',
    statement: '`nfeNumero` and `nfeSerie` of an authorised invoice are its number and series.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.chave',
    section: '2.3',
    statement: '`nfeChaveAcesso` of an authorised invoice is 44 digits.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.data-emissao',
    section: '2.3',
    statement: '`nfeDataEmissao` of an authorised invoice is a time in ISO 8601, UTC.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.data-autorizacao',
    section: '2.3',
    statement: '`nfeDataAutorizacao` of an authorised invoice is filled in.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.no-data-autorizacao-when-denied',
    section: '2.3',
    statement: '`nfeDataAutorizacao` is empty when the invoice was denied.',
    ...ofDenial,
  },
  {
    id: 'issuance-callback.protocolo',
    section: '2.3',
    statement: '`nfeNumeroProtocolo` of an authorised invoice is filled in.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.no-protocolo-when-denied',
    section: '2.3',
    statement: '`nfeNumeroProtocolo` is empty when the invoice was denied.',
    ...ofDenial,
  },
  {
    id: 'issuance-callback.fields-of-denial',
    section: '2.3',
    statement: 'What a denial says of type, number, series, chave and issuance time is what it is, or empty.',
    ...ofDenial,
  },
  {
    id: 'issuance-callback.no-digest',
    section: '2.3',
    level: 'implied',
    statement: '`nfeDigestValue` is empty: it is not provided at present.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.token',
    section: '6.1',
    statement: 'The `token` header is the verification token that was registered with the address, verbatim.',
    ...ofAuthorisation,
  },
  {
    id: 'issuance-callback.agrees-with-query',
    section: '6',
    statement: 'Callback and query never contradict each other.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: ['nfe-query.status-known', ...promisesOfCallbacks],
  },
  {
    id: 'issuance-callback.one-outcome',
    section: '3.1',
    statement: 'An invoice is called back with one outcome: what was authorised is never denied.',
    needs: ['callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: promisesOfCallbacks,
  },
  {
    id: 'issuance-callback.none-on-cancellation',
    section: '6',
    level: 'implied',
    statement: 'A cancellation makes no callback.',
    needs: ['movable-clock', 'callbacks', 'empresa', 'authorised-issuance'],
    buildsOn: ['nfe-cancellation.status-200'],
  },
] as const satisfies readonly StatedClause[];
