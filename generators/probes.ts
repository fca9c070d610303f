import fc from 'fast-check';
import { endpoints, type EndpointName } from '../contract/endpoints.ts';
import type { Call } from '../contract/request.ts';
import { nineRetiredCalls, plainFilling, probeCall, tellingFilling, type Filling } from './calls.ts';
import { jsonText } from './json.ts';
import { named, shown } from './named.ts';
import { echoMessage } from './text.ts';
import { fewLanguages, tellingLanguages, type WishedLanguage } from './wished-language.ts';

/** A call of an endpoint, as `probeCall` makes it, once it is known which media type the XML endpoint wants. */
export interface Probe {
  readonly name: EndpointName;
  readonly callAs: (xmlContentType: string) => Call;
}

/** A probe of each endpoint whose body is as plain as it can be, in the order of section 4. */
export const plainProbes: readonly Probe[] = endpoints.map(({ name }) => probeWith(name, plainFilling));

/** Where a request is refused for what is wrong with it: an endpoint, or a retired path. */
export interface Place extends Pick<Probe, 'callAs'> {
  /** That of the endpoint, or the path: what cases are told apart by. */
  readonly name: string;
  /** A right request is refused there as well, so that it tells nothing beside a wrong one. */
  readonly isRetired?: true;
}

/** Each retired path: what looks at a request may be another one there. Section 4.3. */
export const retiredPlaces: readonly Place[] = nineRetiredCalls.map(({ call }) =>
  named<Place>(`${call.method} ${call.path}`, { name: call.path, callAs: () => call, isRetired: true }),
);

/** The same with a body that shows what is done to it before it is hashed. */
export const tellingProbes: readonly Probe[] = endpoints.map(({ name }) => probeWith(name, tellingFilling));

/** What a call may be like that no rule of the gateway asks for. */
const guises = {
  plain: (call: Call): Call => call,
  queried: (call: Call): Call => ({ ...call, query: 'pagina=1' }),
  chunked: (call: Call): Call => ({ ...call, transfer: 'chunked' }),
} as const;

const guiseOf: Readonly<Partial<Record<EndpointName, keyof typeof guises>>> = {
  'empresa-registration': 'queried',
  'webhook-registration': 'chunked',
  'nfe-query': 'queried',
  'nfe-verification': 'chunked',
  'chave-lookup': 'queried',
  'cpf-lookup': 'queried',
};

/** The plain ones, most of them with a query, or a body that is sent in chunks: no rule of the gateway asks for that. */
export const variedProbes: readonly Probe[] = plainProbes.map(({ name, callAs }) =>
  showing({ name, callAs: (contentType) => shown(guises[guiseOf[name] ?? 'plain'](callAs(contentType))) }),
);

/** A probe of an endpoint, and the language that it is to ask for. */
export interface WishingProbe {
  readonly probe: Probe;
  readonly wish: WishedLanguage;
}

/** Each of them in a language that tells itself from the default, as all checks ask for it. */
export const inTellingLanguages: readonly WishingProbe[] = inTurn(variedProbes, tellingLanguages);

/** Each of them in any language, beginning with another one for each condition of an application. */
export function inFewLanguages(condition: number): readonly WishingProbe[] {
  const from = 3 * condition;
  return inTurn([...variedProbes.slice(from), ...variedProbes.slice(0, from)], fewLanguages);
}

/** So many of them are in each of those languages. */
export const politeEndpoints = fewLanguages.length;

function inTurn(probes: readonly Probe[], wishes: readonly WishedLanguage[]): readonly WishingProbe[] {
  return probes.map((probe, at) => ({ probe, wish: wishes[at % wishes.length] }));
}

/**
 * A probe of one of these endpoints, or of any. Its body, where it has one, holds a text of characters from all planes and is
 * written as JSON may be: what the gateway answers does not depend on it.
 */
export function anyProbe(names: readonly EndpointName[] = endpoints.map(({ name }) => name)): fc.Arbitrary<Probe> {
  const filling = echoMessage().chain((text) => jsonText(text).map((json): Filling => ({ text, json: json.trim() })));
  return fc
    .record({ name: fc.constantFrom(...names), filling })
    .map((chosen) => probeWith(chosen.name, chosen.filling));
}

function probeWith(name: EndpointName, filling: Filling): Probe {
  return showing({ name, callAs: (xmlContentType) => probeCall(name, xmlContentType, filling) });
}

function showing(probe: Probe): Probe {
  return Object.assign(probe, { [fc.toStringMethod]: () => fc.stringify(probe.callAs('application/xml')) });
}
