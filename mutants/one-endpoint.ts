import { type EndpointName, endpoints } from '../contract/endpoints.ts';
import type { Context } from '../simulator/gateway/stages.ts';
import { findRoute } from '../simulator/rules/route.ts';
import { referenceRules } from '../simulator/rules/rules.ts';
import { signatureRules } from '../simulator/rules/signature.ts';
import { type Mutant, behindStages } from './mutant.ts';

/** A gateway that is wrong at one endpoint, and right at all others. */
function atEndpoint(what: string, breaks: Mutant['breaks'], name: EndpointName, change: (right: Context) => Context) {
  const rules = behindStages(referenceRules, (request, context, original) => {
    const isThere = findRoute(request.method, request.path)?.endpoint.name === name;
    return original.answer(request, isThere ? change(context) : context);
  });
  return { id: `${what}-at-${name}`, breaks, rules };
}

const { matches } = signatureRules;

/** Each endpoint treated so. */
function everywhere(
  what: string,
  breaks: Mutant['breaks'],
  change: (right: Context) => Context,
  names: readonly EndpointName[] = endpoints.map(({ name }) => name),
): readonly Mutant[] {
  return names.map((name) => atEndpoint(what, breaks, name, change));
}

const withRules = (context: Context, rules: Partial<Context['rules']>): Context => ({
  ...context,
  rules: { ...context.rules, ...rules },
});

/** Wrong at one endpoint only, whichever it is. */
export const oneEndpointMutants: readonly Mutant[] = [
  ...everywhere('timestamp.never-too-old', ['timestamp.past-refused'], (context) => {
    const { timestamp } = context.rules;
    const { parse } = timestamp;
    const latest = (text: string): number | undefined => {
      const seconds = parse(text);
      return seconds === undefined ? undefined : Math.max(seconds, Math.floor(context.nowMs / 1000) - 10);
    };
    return withRules(context, { timestamp: { ...timestamp, parse: latest } });
  }),
  ...everywhere(
    'signature.case-ignored',
    ['signature.upper-case-refused'],
    (context) =>
      withRules(context, {
        signature: { ...context.rules.signature, matches: (sent, right) => matches(sent.toLowerCase(), right) },
      }),
    ['nfe-cancellation', 'certificado-association', 'nfe-verification', 'cpf-lookup'],
  ),
  ...everywhere(
    'language.portuguese-only',
    ['language.language-header', 'language.accept-language-header', 'language.on-403'],
    (context) => withRules(context, { language: { ...context.rules.language, choose: () => 'pt' } }),
    ['nfe-cancellation', 'certificado-association', 'nfe-verification', 'cpf-lookup', 'webhook-registration'],
  ),
];
