import { hash } from 'node:crypto';
import { endpointAt } from '../../contract/endpoints.ts';
import type { Call } from '../../contract/request.ts';
import type { Caller } from '../../targets/caller.ts';

/** Of so many flawed requests of a kind whose twins have passed, one more gets a twin of its own. */
const oneIn = 16;
/** How long what has passed shows that its kind passes. */
const shownForMs = 60_000;

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

/** When untouched calls of a kind have passed, at whichever target and in whichever check. */
const passedAtMs = new Map<string, number>();

/** Untouched calls that have passed of late: one of them serves the flawed ones of its kind for a while. */
export class Twins {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Notes that an untouched call has passed. */
  notePassed(untouched: Untouched): void {
    passedAtMs.set(this.#kindOf(untouched), performance.now());
  }

  /**
   * Draws by a text what to do beside a flawed call of that kind. The order is drawn so that of a server of several nodes none gets only the one
   * kind; a twin is due where none of its kind has passed of late, and else for one in sixteen, so that what changes is noticed.
   */
  drawn(text: string, untouched: Untouched): TwinDraw {
    const [order = 0, share = 0] = hash('sha256', text, 'buffer');
    const passedMs = passedAtMs.get(this.#kindOf(untouched)) ?? -Infinity;
    const isShown = performance.now() - passedMs < shownForMs;
    return { isDue: !isShown || share % oneIn === 0, isLast: order % 2 === 0 };
  }

  /** Who calls which endpoint with what kind of body, sent in which way. */
  #kindOf({ caller, call }: Untouched): string {
    const { method, path, contentType, transfer } = call;
    const name = endpointAt(method, path)?.name ?? path;
    return [this.#baseUrl, caller.appSecret, method, name, contentType, transfer].join('\n');
  }
}
