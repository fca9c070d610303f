import { type CodeName, limits } from '../../contract/values.ts';

/** How far a request's timestamp may be from server time, and how it is written. Sections 5.1 and 8. */
export interface TimestampRules {
  /** Unix seconds; `undefined` for a text that is no timestamp. */
  readonly parse: (text: string) => number | undefined;
  /** Server time in Unix seconds, of Unix milliseconds. */
  readonly serverSeconds: (nowMs: number) => number;
  readonly toleranceSeconds: number;
  readonly isWithin: (timestampSeconds: number, serverSeconds: number, toleranceSeconds: number) => boolean;
  readonly code: CodeName;
}

export const timestampRules: TimestampRules = {
  parse: (text) => (/^(?:0|[1-9]\d*)$/.test(text) ? Number(text) : undefined),
  serverSeconds: (nowMs) => Math.floor(nowMs / 1000),
  toleranceSeconds: limits.timestampToleranceSeconds,
  isWithin: (timestampSeconds, serverSeconds, toleranceSeconds) =>
    Math.abs(timestampSeconds - serverSeconds) <= toleranceSeconds,
  code: 'timestampInvalid',
};
