import type { StatedClause } from '../clause.ts';

/** What the contract says of `sign`. Sections 4, 5.1, 5.2, 7.2. */
export const signature = [
  {
    id: 'signature.accepted',
    section: '5.2',
    statement: 'A request whose `sign` is the lower-case hex MD5 of token, path, body and timestamp is authenticated.',
  },
  {
    id: 'signature.mismatch-refused',
    section: '7.2',
    statement: 'A request whose `sign` is anything else is refused with 401 and code 10009003.',
  },
  {
    id: 'signature.every-endpoint',
    section: '5.1',
    statement: 'Each of the eleven endpoints accepts the right `sign` and refuses a wrong one.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.order',
    section: '5.2',
    statement:
      'The four ingredients are joined in the order token, path, body, timestamp; any other order does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.no-separators',
    section: '5.2',
    statement:
      'The ingredients are joined with nothing between them; a `sign` over separated or named ingredients does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.utf-8',
    section: '5.2',
    statement:
      'The text that is hashed is encoded as UTF-8, as it stands; a `sign` over another encoding or a normalised text does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.md5',
    section: '5.2',
    statement: 'The hash is MD5 in hex; another hash, an HMAC or another notation does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.token-signed',
    section: '5.2',
    statement: 'The App Secret is signed verbatim; a `sign` over another token, or none, does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.path-prefix-signed',
    section: '5.2',
    statement: 'The signed path includes the `/openapi` prefix; a `sign` over a path without it does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.path-variables-signed',
    section: '5.2',
    statement:
      'Path variables are signed as sent; a `sign` over the path template or over a path without them does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.path-as-sent',
    section: '5.2',
    statement:
      'The path is signed as it was sent: not in another letter case, with a slash more or fewer, or otherwise rewritten.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.path-bound',
    section: '5.2',
    statement: 'A `sign` made for one path does not match another.',
    someNeed: ['empresa', 'other-empresa'],
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.query-not-signed',
    section: '5.2',
    statement: 'The query string is not signed: any query leaves `sign` valid, and a `sign` over it does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.query-reaches-endpoint',
    section: '5.2',
    level: 'implied',
    statement: 'A query is no part of the path: with one, a request reaches the endpoint that it reaches without.',
    buildsOn: ['signature.query-not-signed'],
  },
  {
    id: 'signature.host-not-signed',
    section: '5.2',
    statement: 'Scheme and host are not signed; a `sign` over them does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.nothing-else-signed',
    section: '5.2',
    statement:
      'Header order, further headers and the method are not signed: they leave `sign` valid, and a `sign` over them does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.line-breaks-removed',
    section: '5.2',
    statement:
      'Every CR and every LF of the body, wherever it stands, is removed before hashing; a `sign` over a body that keeps some does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.nothing-else-removed',
    section: '5.2',
    statement:
      'Nothing but CR and LF is removed from the body; a `sign` over a body without its spaces, tabs or other characters does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.body-bound',
    section: '5.2',
    statement: 'A change of any byte of the body other than CR and LF makes `sign` wrong.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.body-empty-without-body',
    section: '5.2',
    statement: 'For GET and DELETE the signed body is the empty string, not `null`, `{}` or another placeholder.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.body-empty-for-multipart',
    section: '5.2',
    statement: 'For multipart requests the signed body is the empty string, whatever the parts carry.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.json-as-sent',
    section: '5.2',
    statement:
      'A JSON body is signed as the bytes that were sent, however they are serialised; a `sign` over a re-serialised body does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.xml-line-breaks',
    section: '5.2',
    statement: 'For the XML endpoint the document without its CR and LF is signed.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.chave-in-path',
    section: '5.2',
    statement: 'For the chave lookup the body is signed as empty and the path with its chave.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.cpf-and-birth-date-signed',
    section: '5.2',
    statement: 'For the CPF lookup both the CPF and the birth date are signed as part of the path.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.timestamp-as-sent',
    section: '5.2',
    statement:
      'The timestamp is signed as exactly the text of its header; a `sign` over another time or notation does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.upper-case-refused',
    section: '5.2',
    statement: 'A `sign` in upper case, or in mixed case, does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.whole-sign-compared',
    section: '5.1',
    statement: 'All 32 characters of `sign` count: with any one of them changed, dropped or added it does not match.',
    buildsOn: ['signature.mismatch-refused'],
  },
  {
    id: 'signature.same-bytes-sent',
    section: '5.2',
    binds: 'client',
    statement: 'A client signs the very bytes of the JSON body that it sends.',
  },
  {
    id: 'signature.no-placeholder-signed',
    section: '5.2',
    binds: 'client',
    statement: 'A client signs the empty string where there is no body, never `null`, `{}` or a placeholder.',
  },
  {
    id: 'signature.xml-sent-unchanged',
    section: '5.2',
    binds: 'client',
    statement: 'A client sends the XML document unchanged, though it signs it without CR and LF.',
  },
] as const satisfies readonly StatedClause[];
