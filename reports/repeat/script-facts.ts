/** What a script says of the run that its request is from. */
export interface ScriptFacts {
  /** Base address of the run's target, where `NFE_BASE_URL` names no other. */
  readonly baseUrl: string;
  readonly clause: string;
  /** Command that repeats the check. */
  readonly replay?: string;
  /** What happened around it, a line a step. */
  readonly story?: readonly string[];
  /** What should have come back. */
  readonly expected?: string;
}
