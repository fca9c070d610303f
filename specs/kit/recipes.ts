import fc from 'fast-check';
import type { ClauseId } from '../../contract/catalogue.ts';
import { codes, type PlatformCode } from '../../contract/values.ts';
import type { Call, Change, Draft } from '../../contract/request.ts';
import type { Exchange } from '../../trace/exchange.ts';
import { sign, stringToSign, partsOf } from '../../client/sign.ts';
import { echoCall } from '../../generators/calls.ts';
import { places, type Flaw } from '../../generators/flaws.ts';
import { distinctRecipes } from '../../generators/wrong-recipes/distinct.ts';
import type { WrongRecipe } from '../../generators/wrong-recipes/recipe.ts';
import { property } from './check.ts';
import { refusalText } from '../../judge/answers.ts';
import { LeftOut } from '../../targets/not-exercised.ts';
import { isAccepted, summary } from './reply.ts';
import type { Trial } from './trial.ts';

/** Recipes that are tried where manners are asked for: the likeliest, which come first. */
const politeRecipes = 3;
/** Cases that are tried, each recipe several times, where nothing asks for manners. */
const mostRecipes = 40;

interface RecipeCase {
  readonly recipe: WrongRecipe;
  readonly call: Call;
}

/** Each place with what may be done there in place of signing; of recipes that give the same sign of it the likeliest. */
const everywhere = places.flatMap((call) => {
  const parts = partsOf({ call, token: 'Any-Token', timestamp: '1700000000' });
  return distinctRecipes({ parts, call, baseUrl: 'http://host' }).map(([recipe]): RecipeCase => ({ recipe, call }));
});

/** Declares that wherever a wrong recipe gives another `sign` than the right one, that `sign` is refused; the first ones everywhere. */
export function refusesRecipes(
  clause: ClauseId,
  title: string,
  recipes: readonly WrongRecipe[],
  calls: fc.Arbitrary<Call>,
  likeliest = 1,
): void {
  const [example] = fc.sample(calls, { numRuns: 1, seed: 1 });
  const ownExamples = example ? recipes.map((recipe): RecipeCase => ({ recipe, call: example })) : [];
  // At every place the likeliest: of all there would be two thousand requests.
  const examples = [...ownExamples, ...everywhere.filter(({ recipe }) => recipes.slice(0, likeliest).includes(recipe))];
  property(
    clause,
    title,
    fc.record({ recipe: fc.constantFrom(...recipes), call: calls }),
    async (t, { recipe, call }) => {
      const { baseUrl } = t.target.address;
      const flaw = (draft: Draft): Draft => {
        const parts = partsOf(draft);
        const facts = { parts, call: draft.call, baseUrl };
        const wrong = recipe.sign(facts);
        fc.pre(wrong !== sign(parts));
        return recipe.hashed ? { ...draft, hashed: recipe.hashed(facts) } : { ...draft, sign: () => wrong };
      };
      const hint = `the target takes a sign computed ${recipe.name}`;
      const caller = await t.caller();
      // Who takes it everywhere takes it at any place: where manners are asked for, another one each time.
      const others = everywhere.filter((one) => one.recipe === recipe);
      const isDrawn = call === example && t.target.address.maxRps > 0;
      const [at] = isDrawn ? t.drawn([{ recipe, call }, ...others], 1) : [];
      const asked = at?.call ?? call;
      const sent = typedFor(t, asked);
      // That a place lets its right sign pass is seen elsewhere.
      if (places.includes(asked)) await t.refusesAlone(caller, sent, codes.signMismatch, hint, flaw);
      else await t.refuses(caller, sent, codes.signMismatch, flaw, hint);
    },
    {
      examples,
      mostPolitely: Math.min(recipes.length, politeRecipes),
      most: Math.max(examples.length, mostRecipes),
    },
  );
}

/** The call with the media type that the target wants of XML. */
export function typedFor({ target }: Trial, call: Call): Call {
  return call.contentType === 'application/xml' ? { ...call, contentType: target.address.xmlContentType } : call;
}

/** Keeps the `sign` of another call: what a forger does who changes a request under way. */
export function signedFor(other: Call): Change {
  return (draft) => ({ ...draft, hashed: stringToSign(partsOf({ ...draft, call: other })) });
}

/** What a body is turned away with that is too large, or does not come as it is to: before its sign is looked at. */
const notTaken = new Set([411, 413, 415, 417, 501]);

/**
 * Fails unless a call of any size, sent in any way, is refused for its flaw, a wrong sign. Nothing is aimed at: whoever has no use for a
 * body of that size may say so before its sign is looked at: of documents alone it is shown that the endpoint says it.
 */
export async function refusesLarge(
  t: Trial,
  call: Call,
  flaw: Change,
  hint: string,
  refusal: PlatformCode = codes.signMismatch,
): Promise<void> {
  const exchange = await t.send(await t.caller(), typedFor(t, call), flaw);
  leaveOutNotTaken(exchange);
  t.isRefusedWith(exchange, refusal, hint);
}

/** Fails unless a call whose body is sent in any way passes the gateway; nothing is aimed at, either. */
export async function acceptsSent(t: Trial, call: Call): Promise<void> {
  const exchange = await t.send(await t.caller(), call);
  leaveOutNotTaken(exchange);
  t.holds(isAccepted(exchange), {
    expected: 'accepted by the gateway',
    actual: summary(exchange),
    hint: `the same request is signed alike when its body goes out ${call.transfer ?? 'at once'}`,
  });
}

/**
 * Fails where what is not ASCII in a header is served, or breaks the service: what reads HTTP before it may refuse it, or not show the
 * header at all.
 */
export async function refusesBeyondAscii(t: Trial, { apply, refusal }: Flaw): Promise<void> {
  const exchange = await t.send(await t.caller(), echoCall('beyond ASCII'), apply);
  const { status = 0 } = exchange.response ?? {};
  t.holds(status >= 400 && status < 500, {
    expected: `${refusalText(refusal)}, or 400 where it can not be read`,
    actual: summary(exchange),
  });
}

function leaveOutNotTaken(exchange: Exchange): void {
  const { status = 0 } = exchange.response ?? {};
  if (notTaken.has(status)) throw new LeftOut(`such a body is not taken: ${summary(exchange)}`);
}
