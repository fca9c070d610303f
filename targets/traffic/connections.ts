import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import limited, { type LimitFunction } from 'p-limit';
import { isIdle, onAnswer } from './carriers.ts';

/** How long a target may take to notice the end of a connection, in milliseconds. */
const farewellMs = 20;

/** So many new connections in a row that broke before an answer, while others stand, show that it takes no more than these. */
const mostInVain = 3;

onAnswer((socket) => owners.get(socket)?.noteAnswer());

/**
 * The connections of all checks of a thread to one target: no more than requests may be under way at once, or than the target turns out to
 * take. What is idle is ended first.
 */
export class Connections {
  /** Lets so many requests be under way at once. */
  readonly gate: LimitFunction;
  readonly #open = new Set<Socket>();
  #coming = 0;
  /** Those whose end the target may not have noticed. */
  #leaving = 0;
  #inVain = 0;

  constructor(most: number) {
    this.gate = limited(most);
  }

  /** Ends idle connections until one more may be opened, which is told of then by `add` or `noteBroken`. */
  async makeRoom(): Promise<void> {
    this.#coming += 1;
    const surplus = this.#open.size + this.#coming - this.gate.concurrency;
    if (surplus + this.#leaving <= 0) return;
    const idle = [...this.#open].filter(isIdle).slice(0, Math.max(0, surplus));
    for (const socket of idle) {
      this.#open.delete(socket);
      socket.destroy();
    }
    await sleep(farewellMs);
  }

  /** Takes note of a connection that was opened. */
  add(socket: Socket): void {
    this.#coming -= 1;
    this.#open.add(socket);
    owners.set(socket, this);
    const noteEnd = (): void => {
      if (this.#open.delete(socket) && socket.bytesRead === 0 && socket.bytesWritten > 0) this.#noteInVain();
    };
    // Not what we end ourselves, such as where an answer is too long in coming.
    socket.once('end', noteEnd);
    socket.once('error', (error) => (isReset(error) ? noteEnd() : undefined));
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#leaving += 1;
      setTimeout(() => (this.#leaving -= 1), farewellMs).unref();
    });
  }

  /** Takes note of a connection that could not be opened. */
  noteBroken(error: Error): void {
    this.#coming -= 1;
    if (isReset(error)) this.#noteInVain();
  }

  /** Takes note of an answer that came over one of them. */
  noteAnswer(): void {
    this.#inVain = 0;
  }

  #noteInVain(): void {
    this.#inVain += 1;
    const standing = [...this.#open].filter(({ bytesRead }) => bytesRead > 0).length;
    if (this.#inVain < mostInVain || standing === 0) return;
    this.gate.concurrency = Math.min(this.gate.concurrency, standing);
    this.#inVain = 0;
  }
}

/** Of connections, whose they are. */
const owners = new WeakMap<object, Connections>();

function isReset(error: Error): boolean {
  return 'code' in error && (error.code === 'ECONNRESET' || error.code === 'ECONNREFUSED');
}
