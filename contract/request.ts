/** States of an application. Section 5.3. */
export const applicationStates = ['active', 'disabled', 'pending', 'rejected'] as const;

export type ApplicationState = (typeof applicationStates)[number];

/** States of an integrator's account. Section 5.3. */
export const integratorStates = ['active', 'disabled'] as const;

export type IntegratorState = (typeof integratorStates)[number];

/** What an application is like, as far as the gateway asks; what is absent is as with an active one that may call everything. Sections 5.3 and 7.2. */
export interface Standing {
  readonly state?: ApplicationState;
  readonly integratorState?: IntegratorState;
  readonly subscriptions?: 'all' | readonly string[];
  readonly rateLimit?: { readonly limit: number; readonly windowSeconds: number };
}

/** Who sends a request, and by which clock it is judged: what a check knows of its caller that no secret is. */
export interface CallerFacts {
  /** Its App Key, or what it is known by where that is not told. */
  readonly name: string;
  readonly standing: Standing;
  /** Whether the control API made it, so that all of its standing is known. */
  readonly isMade?: true;
  /** Whether it has a clock of its own, which stands still until it is moved. */
  readonly hasOwnClock?: true;
}

/** The three headers that every request carries. Section 5.1. */
export const signatureHeaders = ['token', 'timestamp', 'sign'] as const;

export type SignatureHeader = (typeof signatureHeaders)[number];

/** How a body may go over the connection: in pieces, whose sum nobody is told before, or once the server has asked for it. */
export const transfers = ['chunked', 'expecting'] as const;

export type Transfer = (typeof transfers)[number];

/** What a caller wants to send, before it is signed. */
export interface Call {
  readonly method: string;
  /** From `/openapi` on, as it stands on the request line, without query. */
  readonly path: string;
  /** After the `?`, as it stands on the request line. */
  readonly query?: string;
  readonly contentType?: string;
  /** The bytes that are sent; `undefined` sends none. */
  readonly rawBody?: Buffer;
  /** Its length goes before the body, and both go out at once, where absent. */
  readonly transfer?: Transfer;
  /** Further headers; order and letter case are kept. */
  readonly headers?: readonly (readonly [string, string])[];
}

/** The four ingredients of `sign`. Section 5.2. */
export interface SignedParts {
  readonly token: string;
  readonly path: string;
  /** What is signed as the body: without CR and LF, empty for GET, DELETE and multipart. */
  readonly body: Buffer;
  readonly timestamp: string;
}

/** A call about to be signed and sent: what a flaw changes. */
export interface Draft {
  readonly call: Call;
  readonly token: string;
  /** The text of the `timestamp` header. */
  readonly timestamp: string;
  /** What the MD5 is taken of; the string to sign when absent. */
  readonly hashed?: Buffer;
  /** Makes the `sign` header of that MD5; the MD5 itself when absent. */
  readonly sign?: (digest: string) => string;
  /** Signature headers that are left out. */
  readonly omit?: readonly SignatureHeader[];
  /** How the three signature headers are written; `token`, `timestamp`, `sign` when absent. */
  readonly headerNames?: Readonly<Record<SignatureHeader, string>>;
  /** Puts the signature headers behind the call's own, in this order. */
  readonly headerOrder?: readonly SignatureHeader[];
  /** Who wants to send it; no flaw changes that. */
  readonly origin?: Origin;
}

/** A change of a draft: a flaw, or something that is free to differ. */
export type Change = (draft: Draft) => Draft;

/** What a correct draft is made of: with another origin the same draft is made anew. */
export interface Origin {
  readonly appSecret: string;
  /** Unix seconds of the caller's clock. */
  readonly nowSeconds: number;
  /** Epoch milliseconds of our own clock at that time: a request may wait for its turn. Absent where the caller's clock stands still. */
  readonly madeAtMs?: number;
  /** Secrets that a rotation has made invalid. */
  readonly formerSecrets?: readonly string[];
  readonly caller?: CallerFacts;
}
