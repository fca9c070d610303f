import { endpoints, retiredEndpoints } from '../../contract/endpoints.ts';
import { languages, codes, fiscalStates, nfeStates, verdictStates } from '../../contract/values.ts';
import { fieldNames } from './fields.ts';
import { catalogue } from '../../contract/catalogue.ts';

const folded = new Map<string, string>();

/** A character as it is compared: in lower case, without its accent. A mark that only changes the one before it is nothing. */
export function folding(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? character.toLowerCase() : character;
  const known = folded.get(character);
  if (known !== undefined) return known;
  const plain = character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  if (folded.size < mostKept) folded.set(character, plain);
  return plain;
}

const mostKept = 4_000;

/** A text in which no letter has an accent. */
export function withoutDiacritics(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/** A text as it is compared. */
export function foldedText(text: string): string {
  return withoutDiacritics(text).toLowerCase();
}

/** Words of the contract that are written out in texts and quoted there: paths, names of fields and headers, states. */
const contractTexts = [
  ...[...endpoints, ...retiredEndpoints].flatMap(({ method, path }) => [method, path]),
  ...nfeStates,
  ...fiscalStates,
  ...verdictStates,
  ...fieldNames,
  ...Object.values(codes).map(({ meaning }) => meaning),
  ...languages,
  'Producao Homologacao NF-e invoice.verify.completed webhook.verify forceRevalidate Accept-Language Language',
  'Content-Type X-Service-Event X-Service-Event-Id X-Service-Delivery-Id X-Service-Timestamp X-Service-Signature',
  'cpf cnpj nascimento itens emitente destinatario certificado senha empresa webhook DDMMYYYY DDMMAAAA MD5 HMAC SHA UTF',
];

/** Words of proxies, servers and what frameworks say of an error. No word here is a usual name of anybody. */
const serverWords = `
  bad gateway request unauthorized forbidden not found method allowed acceptable proxy authentication required timeout conflict gone
  length precondition failed payload content too large uri url long unsupported media type range satisfiable expectation
  unprocessable entity locked dependency upgrade many requests header fields unavailable for legal reasons internal server error
  implemented service temporarily version supported ok created accepted no partial multiple choices moved permanently see other
  modified temporary redirect permanent the a an is was are be been of in on at to by or and with from your you this that it its has
  have had could cannot can try again later please contact administrator admin support page resource requested origin web
  host connection refused reset closed upstream downstream connect connecting response reading while during exception stack trace
  null undefined unknown invalid missing wrong expired expires denied access authorization signature token sign key secret
  exceeded limit rate retry after seconds minutes hours validation valid validated rejected unexpected expected value field object
  array string number integer boolean body empty format malformed parse parsing syntax json xml html text plain application
  charset schema document element attribute encoding decode decoding character position line column code status message success
  true false fail failure issue issues problem details cause caused reason id ray reference time date day month year utc gmt
  nginx openresty apache tomcat coyote iis microsoft asp net aspnet core kestrel cloudflare cloudfront amazon amazonaws aws azure google gws
  akamai akamaighost varnish envoy istio haproxy traefik kong caddy jetty gunicorn uvicorn werkzeug python php java spring boot node
  express litespeed fastly heroku vegur imperva incapsula sucuri apigee zuul undertow wildfly jboss squid elb awselb azion
  before after disconnect disconnected stream proxied
  keep alive close chunked gzip deflate br identity trailers cache control max age private public store must revalidate
  transform stale immutable shared none same site lax strict samesite secure httponly domain path nosniff deny sameorigin
  frame options security transport include subdomains preload hit miss dynamic bypass bearer basic digest realm accept encoding
  language user agent hello world test ping pong up down maintenance under construction home index welcome default about blank
  pt en zh es pt-br br utf iso latin octet stream form data pdf zip javascript css image png csv problem urlencoded www multipart`;

/** Words that Portuguese error texts and the texts of the tax authority begin with or write in capitals. */
const fiscalWords = `
  rejeicao rejeitada rejeitado autorizado autorizada autorizacao autorizador uso denegado denegada cancelamento cancelada cancelado
  inutilizacao inutilizada evento registrado vinculado nota notas fiscal fiscais eletronica nf nfe nfce ct cte sefaz receita federal
  suframa chave acesso protocolo lote ambiente producao homologacao emissao emissor emitente destinatario remetente transmissor
  transportador produtor adquirente certificado digital assinatura assinador difere cadeia certificacao data hora prazo ano mes dia
  codigo municipio pais uf estado exterior brasil operacao interestadual estadual municipal nacional interna importacao exportacao
  entrada saida item itens produto produtos servico servicos valor valores total base calculo aliquota percentual icms ipi pis
  cofins issqn iss ii st fcp difal bc csosn cst cfop ncm cest ean gtin cean tributo tributos tributavel tributacao tributaria
  complementar consumidor contribuinte contranota duplicidade numero serie modelo empenho empresa cadastro cadastrada cadastrado
  inscricao ie im cnpj cpf raiz formato campo campos corpo arquivo senha tipo tamanho faixa vazio ausente obrigatorio obrigatoria
  invalido invalida invalidos nao encontrado encontrada localizado localizada informado informada informar falha falta erro erros
  sucesso exito aviso atencao requisicao requisicoes resposta servidor sistema interno indisponivel paralisado momentaneamente
  previsao sem com de da do das dos em no na para por o a os as um uma e ou ao que ja deve ser esta este api aplicativo aplicacao
  aguardando pendente processando processada processado concluida concluido recebida recebido enviada enviado emitida negada negado aprovada aprovado
  regular ativa ativo inativa inapta suspensa baixada nula titular falecido regularizacao multiplicidade oficio situacao
  pagamento venda devolucao unidade quantidade frete desconto seguro outras despesas grupo local entrega retirada pedido
  registro consulta consultas documento documentos danfe pdf link url token permissao negado acesso limite excedido tente
  novamente mais tarde segundos assinante assinatura nascimento divergente pessoa fisica juridica natureza juridica simples
  mal formado digito verificador fato gerador orgao publico desembaraco aduaneiro referenciada referenciado razao social diferente
  consumo indevido unitario comercializacao comercial fundo combate pobreza justificativa legislacao validade combustivel isento
  enquadramento matriz nacional nenhuma numerico processo relativo atributo sigla gerador formas carta correcao confirmado
  interrompido timestamp cabecalho conta integrador desativado desativada vigor aprovacao recusada confere longe demais
  missing pending processing completed completed approved authorized authorised canceled cancelled voided queued received sent
  pfx json xml system systems complex without repetido privada protecao desconhecida sim malformed mismatch empty scan fault schema unsubscribed retired too short bytes
  created updated deleted active inactive disabled enabled blocked suspended error errors warning info`;

/** What a text is split at to have its words. */
const between = /[^\p{L}\p{N}]+/u;

function wordSet(...texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((text) => foldedText(text).split(between)).filter((word) => word !== ''));
}

/** Its words whole, and those that `lowerCamelCase` joins. */
const contractWords = wordSet(
  ...contractTexts,
  ...contractTexts.map((text) => text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')),
);
/** The words of servers, of the tax authority and of the contract, folded: what anybody's answer says. */
export const knownWords: ReadonlySet<string> = new Set([...contractWords, ...wordSet(serverWords, fiscalWords)]);

/** Whether a word is one of servers, of the tax authority or of the contract; letter case and accents aside. */
export function isKnownWord(word: string): boolean {
  return word.length <= longestWord && knownWords.has(foldedText(word));
}

/** Whether a text is made of the contract's own words alone: a path of it, the name of a field, a state. */
export function isOfContract(text: string): boolean {
  if (text.length > longestText) return false;
  const words = foldedText(text)
    .split(between)
    .filter((word) => word !== '');
  return words.length > 0 && words.every((word) => contractWords.has(word) || /^v\d$/.test(word));
}

const longestWord = 40;
const longestText = 120;

/** Words of sentences that the suite says, beside those of its clauses. */
const sentences = `
  able absence acknowledgement actual addition adds advice agree agrees allows among announced anywhere apart applications
  around arrive arrived arrives ask asks asserted assurance attempts authorities available awaiting became become begins
  below beside binds bits blocked bodies bound boundaries boundary brand breaker broke browser budget built caller came capital cases
  catalogue certain certificate certificates chain chaves check checked checks clause clauses clock clocks colon come
  comments commit companies company compare compared complemento complete computed conformance container contains copy costs
  cover credential cut decide decides declares demand demanded denies deviates deviations did different differs disk divided
  divides docker docs doctor documents don drawn draws drive driven due earlier edge edition email embedded end ended engine
  entries entry env environment environments escaped everything everywhere example exchange exclude exec exercise exercised
  explain explains failing fairness fast file filename files firewall fit fixes flawed folder forced form former fourth
  fragment free fresh front full gain gave generated generator generators give given going grant granted guess guessed half
  handshake hang held help hidden higher hint history holds homologado how hyphen implied import indentation init inside
  integration intermediate interrupted into invoice invoices issuer join jsonl judged just kept keys know knows largest last
  late latest lead leads least left lenient let lets letters level levels lifts limited limits lines links lint list listen
  listens lists locale log login look machine map maybe mean meaning means meant measured members merge merged might minus
  most mostly mutants nearly need needs network next night nobody notations notes now npm open opened opens others our
  outlives outside overwrite pass passed password past patience per person pfx picks place plan plus port portal prefixes
  printable printing prints profile profiles property protocol proved provider put question quotes ran random rather reach
  reaches reader reads ready real recipient references registering registers registrations registries rejection remove rename
  renewed repeats replace replaced report reports repository require requires responsavel results retirement returns row run
  runs said sandbox save saving say scrap script second secrets seed seen seldom self send sense separator separators serve
  set sets setting settings settle settlement shard shards show shown shows side signing simulator skipped somebody something
  sought sound space spaced speak speaks specs speed spelling spends stand standing start started starts stay steps still
  stopped stops stored stores straight stringify stub subscribe such suit suite suits summary supplies swapped table take
  takes target tell terminal tested tests then these those ticket times titled together tokens told tolerance took topic
  trailing travel tried trust trusted twice twin types understood unencrypted unique unit units unobservable unproven unset
  unstable untouched unusual uploaded uploads usage usual verificacao waited waiting wants way ways whether whichever white
  who whoever why wider windows withheld word would write writes wrote yet yourself`;

const words = new Set([
  ...sentences.split(/\s+/),
  ...catalogue.flatMap(({ statement }) => statement.match(/[a-z]{3,}/g) ?? []),
]);

/**
 * Whether the suite says that word itself. A target may answer with any word of them: hidden in every
 * sentence, it would make the sentence unreadable and tell nothing of anybody.
 */
export function isSuiteWord(word: string): boolean {
  return words.has(word.toLowerCase());
}
