import { type EndpointName, endpoints } from '../contract/endpoints.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { referenceRules, type Rules } from '../simulator/rules/rules.ts';
import { type Mutant, mutantWhere } from './mutant.ts';

/** A gateway whose rules of one topic are wrong at one endpoint, and right at all others; so for each endpoint. */
function everywhere<Topic extends 'timestamp' | 'signature' | 'language'>(
  what: string,
  breaks: Mutant['breaks'],
  topic: Topic,
  change: Partial<Rules[Topic]>,
  names: readonly EndpointName[] = endpoints.map(({ name }) => name),
): readonly Mutant[] {
  return names.map((name) => {
    const isThere = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
      findRoute(method, path)?.endpoint.name === name;
    return mutantWhere(`${what}-at-${name}`, breaks, topic, isThere, change);
  });
}

const { signature } = referenceRules;

/** Wrong at one endpoint only, whichever it is. */
export const oneEndpointMutants: readonly Mutant[] = [
  ...everywhere('timestamp.never-too-old', ['timestamp.past-refused'], 'timestamp', {
    isWithin: (sent, server, tolerance) => sent - server <= tolerance,
  }),
  ...everywhere(
    'signature.case-ignored',
    ['signature.upper-case-refused'],
    'signature',
    { matches: (sent, right) => signature.matches(sent.toLowerCase(), right) },
    ['nfe-cancellation', 'certificado-association', 'nfe-verification', 'cpf-lookup'],
  ),
  ...everywhere(
    'language.portuguese-only',
    ['language.language-header', 'language.accept-language-header', 'language.on-403'],
    'language',
    { choose: () => 'pt' },
    ['nfe-cancellation', 'certificado-association', 'nfe-verification', 'cpf-lookup', 'webhook-registration'],
  ),
];
