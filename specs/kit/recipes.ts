import fc from 'fast-check';
import type { ClauseId } from '../../contract/catalogue.ts';
import { codes } from '../../contract/codes.ts';
import type { Call, Draft } from '../../contract/request.ts';
import { sign, stringToSign } from '../../client/sign.ts';
import { partsOf } from '../../client/signed-request.ts';
import type { WrongRecipe } from '../../generators/wrong-recipes/recipe.ts';
import { property } from './check.ts';
import { LeftOut } from '../../targets/left-out.ts';
import { summary } from './reply.ts';
import type { Change, Trial } from './trial.ts';

/** Declares that wherever a wrong recipe gives another `sign` than the right one, that `sign` is refused. */
export function refusesRecipes(
  clause: ClauseId,
  title: string,
  recipes: readonly WrongRecipe[],
  calls: fc.Arbitrary<Call>,
): void {
  const [example] = fc.sample(calls, { numRuns: 1, seed: 1 });
  property(
    clause,
    title,
    fc.record({ recipe: fc.constantFrom(...recipes), call: calls }),
    async (t, { recipe, call }) => {
      const { baseUrl, xmlContentType } = t.target.address;
      const flaw = (draft: Draft): Draft => {
        const parts = partsOf(draft);
        const facts = { parts, call: draft.call, baseUrl };
        const wrong = recipe.sign(facts);
        fc.pre(wrong !== sign(parts));
        return recipe.hashed ? { ...draft, hashed: recipe.hashed(facts) } : { ...draft, sign: () => wrong };
      };
      const hint = `the target takes a sign computed ${recipe.name}`;
      const sent = call.contentType === 'application/xml' ? { ...call, contentType: xmlContentType } : call;
      await t.refuses(await t.caller(), sent, codes.signMismatch, flaw, hint);
    },
    { examples: example ? recipes.map((recipe) => ({ recipe, call: example })) : [] },
  );
}

/** Keeps the `sign` of another call: what a forger does who changes a request under way. */
export function signedFor(other: Call): Change {
  return (draft) => ({ ...draft, hashed: stringToSign(partsOf({ ...draft, call: other })) });
}

/**
 * Fails unless a call of any size is refused for its wrong sign. Nothing is aimed at: whoever has no use for a body of that size may
 * say so before its sign is looked at, and nothing is told of him.
 */
export async function refusesLarge(t: Trial, call: Call, flaw: Change, hint: string): Promise<void> {
  const { xmlContentType } = t.target.address;
  const sent = call.contentType === 'application/xml' ? { ...call, contentType: xmlContentType } : call;
  const exchange = await t.send(await t.caller(), sent, flaw);
  if (exchange.response?.status === 413) throw new LeftOut(`a large body was refused: ${summary(exchange)}`);
  t.isRefusedWith(exchange, codes.signMismatch, hint);
}
