import { catalogue } from '../../contract/catalogue.ts';

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
