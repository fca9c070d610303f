import { hash } from 'node:crypto';
import { endpointAt } from '../../contract/endpoints.ts';
import type { Call } from '../../contract/request.ts';
import type { Caller } from '../../targets/applications.ts';

/** Of so many flawed requests of a kind whose twins have passed, one more gets a twin of its own. */
const oneIn = 4;
/** How long what has passed shows that its kind passes. */
const shownForMs = 30_000;

/** What is drawn for a flawed request: whether it gets a twin of its own, and whether that goes out after it. */
export interface TwinDraw {
  readonly isDue: boolean;
  readonly isLast: boolean;
}

/** A call as it is to be, and who sends it. */
interface Untouched {
  readonly caller: Caller;
  readonly call: Call;
}

/** Untouched calls that have passed of late: one of them serves the flawed ones of its kind for a while. */
export class Twins {
  readonly #passedAtMs = new Map<string, number>();

  /** Notes that an untouched call has passed. */
  notePassed(untouched: Untouched): void {
    this.#passedAtMs.set(kindOf(untouched), performance.now());
  }

  /**
   * Draws by a text what to do beside a flawed call of that kind. The order is drawn so that of a server of several nodes none gets only the one
   * kind; a twin is due where none of its kind has passed of late, and else for one in four, so that what changes is noticed.
   */
  drawn(text: string, untouched: Untouched): TwinDraw {
    const [order = 0, share = 0] = hash('sha256', text, 'buffer');
    const passedAtMs = this.#passedAtMs.get(kindOf(untouched)) ?? -Infinity;
    const isShown = performance.now() - passedAtMs < shownForMs;
    return { isDue: !isShown || share % oneIn === 0, isLast: order % 2 === 0 };
  }
}

/** Who calls which endpoint with what kind of body, sent in which way. */
function kindOf({ caller, call }: Untouched): string {
  const { method, path, contentType, transfer } = call;
  return [caller.appSecret, method, endpointAt(method, path)?.name ?? path, contentType, transfer].join('\n');
}
