import { fits, type Call } from './kit.ts';
import type { Link } from './likeness.ts';

/** A document that is shorter is a page of an error. */
const leastBytes = 200;

/** The links that came in a repetition, and what came over them, each beside what had come in the run. */
export class Documents {
  readonly #links: (Link & { readonly at: number })[] = [];
  readonly #came: { readonly step: Call; readonly body: Buffer }[] = [];

  /** Takes links that came in a step of that time. */
  addLinks(links: readonly Link[], at: number): void {
    this.#links.push(...links.map((link) => ({ ...link, at })));
  }

  /** The link of now that a step follows: the one that came where it came from in the run, or one that looks alike. */
  linkOf({ cameAt, leadsTo }: Call, target: string): string | undefined {
    const was = withoutToken(target);
    const found =
      this.#links.findLast((link) => link.at === cameAt && link.leadsTo === leadsTo) ??
      this.#links.findLast(({ is }) => isLike(was, withoutToken(is)));
    return found?.is;
  }

  /** The document of now that had so many bytes in the run. */
  of(bytes: number): Buffer | undefined {
    return this.#came.findLast(({ step }) => bytes > leastBytes && cameIn(step)?.bytes === bytes)?.body;
  }

  /** Takes what came over a link. Gives the first difference that tells: two links had one document, and have two now, or one for two. */
  add(step: Call, body: Buffer): string | undefined {
    const odd = this.#came.find((other) => isOneDocument(other.step, step) !== other.body.equals(body));
    this.#came.push({ step, body });
    if (!odd) return undefined;
    const { target } = odd.step.evidence.request;
    return isOneDocument(odd.step, step)
      ? `it is another document than that of ${target}, in the run it was the same`
      : `it is the document of ${target}, in the run it was another`;
  }
}

function isOneDocument(one: Call, other: Call): boolean {
  const [before, now] = [cameIn(one), cameIn(other)];
  return before?.bytes === now?.bytes && before?.text === now?.text;
}

function cameIn(step: Call): Call['evidence']['request']['body'] | undefined {
  return step.evidence.response?.body;
}

function withoutToken(target: string): string {
  return target
    .replace(/^https?:\/\/[^/]+/, '')
    .split('?', 1)
    .join('');
}

function isLike(was: string, is: string): boolean {
  return was === is || (/[$…]/.test(was) && fits(was, is));
}
