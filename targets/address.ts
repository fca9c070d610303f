import type { VerdictFields } from '../schemas/verdict.ts';
import type { KnownDeviations } from '../contract/catalogue.ts';
import type { Arrival, Exchange } from '../trace/exchange.ts';
import type { People } from '../trace/people/memory.ts';
import { type Network, answerMs } from './traffic/transport.ts';
import type { NeedName } from '../contract/clause.ts';
import type { NfeOutcome, Trouble } from '../contract/values.ts';
import type { EmpresaName, RegisteredEmpresa } from './empresa.ts';

/** Where a control API answers, and the token that it takes. */
export interface ControlAddress {
  readonly url: string;
  readonly token: string;
}

/** Secrets of applications in a certain condition, for a target without control API. */
export interface Credentials {
  /** An active application that may call everything. */
  readonly active?: string;
  readonly disabled?: string;
  readonly pending?: string;
  readonly rejected?: string;
  readonly integratorDisabled?: string;
  readonly unsubscribed?: string;
  /** An application that may be driven into 429. */
  readonly rateLimited?: string;
  /** A secret that a rotation has made invalid. */
  readonly rotated?: string;
  /** What echo must say of the active application. */
  readonly appKey?: string;
  readonly appName?: string;
}

/** Where a suite's webhook receiver listens, and how the target reaches it. */
export interface WebhookAddress {
  /** Port 0 takes a free one, each time anew. */
  readonly listen: { readonly host: string; readonly port: number };
  /** The listening address when absent. */
  readonly publicUrl?: string;
  /** The host by which the target reaches this machine, where each receiver has a port of its own. */
  readonly publicHost?: string;
  /** The brand in the five header names. */
  readonly headerPrefix: string;
  /** Whether the target reaches it, as far as settings tell. */
  readonly isReachable: boolean;
  /** The address saved in the provider's console for verification events. */
  readonly verificationUrl?: string;
  /** What an earlier receiver stored, oldest first. */
  readonly stored?: readonly StoredDelivery[];
  /** The receiver of the whole run, where there is one application for all checks. */
  readonly shared?: SharedReceiver;
}

/** A delivery that came to a receiver before this run. */
export interface StoredDelivery extends Arrival {
  /** With which status it was to be answered. */
  readonly answeredStatus: number;
}

/** One address for all callbacks of a run. */
export interface SharedReceiver {
  /** Name of the channel on which threads hear of arrivals. */
  readonly channel: string;
  readonly url: string;
  readonly token: string;
  /** How the target answered the registration of the address; absent where it was refused. */
  readonly registration?: Exchange;
  /** Why it can't be used, in one sentence. */
  readonly refusal?: string;
}

/** Why a need can't be met, in one sentence, and whose trouble that is. */
export interface Lack {
  readonly reason: string;
  readonly trouble: Trouble;
}

/** An invoice, with the answer to its issuance. */
export interface IssuedInvoice {
  readonly nfeId: string;
  readonly issuance: Exchange;
}

/** One that has ended, with the answer that says so. */
export interface SettledInvoice extends IssuedInvoice {
  readonly settled: Exchange;
}

/** Requests over one connection to a server, in the mean: of eight nodes behind an address each is to be met by each kind of request. */
export const perConnectionToServer = 1.25;

/** All that a worker needs to know of a target: plain data, so that it can travel. */
export interface TargetAddress {
  readonly kind: 'embedded' | 'container' | 'sandbox';
  /** Without a trailing slash; may have a path prefix of its own. */
  readonly baseUrl: string;
  readonly implementation?: string;
  /** What the headers of its first answer say of it, where nobody says more: `Server nginx/1.25.3`. */
  readonly server?: string;
  readonly control?: ControlAddress;
  readonly credentials: Credentials;
  /** What requests call themselves, so that their run is found in a log. */
  readonly userAgent?: string;
  /** How the target is reached; absent: straight, without proxies. */
  readonly network?: Network;
  /** Most requests a second; 0: no ceiling. */
  readonly maxRps: number;
  /** Whether a request may leave that might issue an invoice in production. */
  readonly allowProducao: boolean;
  /** ISO time at which applications with a clock of their own begin; absent: the same for all. */
  readonly clockStart?: string;
  /** Requests that go over one connection in the mean, so that a run meets every node behind it; absent or 0: as many as it takes. */
  readonly perConnection?: number;
  /** Most requests of a check that may be under way at once; absent: as many as it likes. */
  readonly burst?: number;
  /** Most requests that are sent to see a rate limit that nobody told us. */
  readonly rateBurst: number;
  /** Target clock minus own clock, in seconds, by which requests are signed; 0 where it is not known. */
  readonly clockSkewSeconds: number;
  /** The same where it is known: measured, or of a target in this process. */
  readonly knownSkewSeconds?: number;
  readonly xmlContentType: string;
  /** Folder of the profile, and which of its files are there. */
  readonly profile: { readonly folder: string; readonly files: readonly string[] };
  /** Needs that settings and profile promise and the target, once asked, did not bear out. */
  readonly unproven?: Partial<Readonly<Record<NeedName, Lack>>>;
  /** Whether the outcome of an issuance is the control API's to decide, since the profile's bodies end otherwise there. */
  readonly isSteered?: boolean;
  /** How long after its association a certificate was seen to be in force, in milliseconds; absent where that was at once. */
  readonly certificateMs?: number;
  /** The companies that all checks share, where there is no control API to give each check an application of its own. */
  readonly empresas?: Partial<Readonly<Record<EmpresaName, RegisteredEmpresa>>>;
  /** Invoices of the shared company that ended so before the first check: checks that only read one need not issue it. */
  readonly invoices?: Partial<Readonly<Record<NfeOutcome, SettledInvoice>>>;
  /** What the application that all checks share has asked before the first of them: who would ask the same reads the answer. */
  readonly asked?: readonly Exchange[];
  readonly webhook: WebhookAddress;
  /** Fields in `data` of verification events that earlier runs of the same target saw. */
  readonly earlierFields?: VerdictFields;
  /** Set where the values of a sandbox are shown whoever they tell of; secrets and links are hidden all the same. */
  readonly shows?: 'all';
  /** What is known of people there; what is sent and received in this thread adds to it. */
  readonly people?: People;
  /** Whether checks may take real minutes. */
  readonly isSlow: boolean;
  /** How long an asynchronous outcome is waited for where no clock can be moved. */
  readonly settleTimeoutSeconds: number;
}

/** What everybody who sends requests in a run shares. */
export interface Traffic {
  /** Memory of the ledger. */
  readonly memory: SharedArrayBuffer;
  /** Most requests in all; 0: no ceiling. */
  readonly budget: number;
  /** Set where the budget is the most that was announced, not what was asked for: then no setting spends it. */
  readonly isAnnounced?: true;
  /** When the run ends, whatever is done by then; absent where no duration was announced. */
  readonly deadline?: Deadline;
  /** What holds where it differs from the usual. */
  readonly patience?: Partial<Patience>;
}

/** When a run has taken much longer than announced. */
export interface Deadline {
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly announcedMinutes: number;
  /** How long it has taken by then. */
  readonly takenMinutes: number;
}

/** Where the threads of a run write what happens. */
export interface TracePlace {
  readonly directory: string;
  /** Under which names are hidden: nobody keeps it. */
  readonly key: string;
}

/** A check, by the clause that it judges and its title. */
export interface CheckName {
  readonly clause: string;
  readonly check: string;
}

/** One run of the specs, as the workers are told of it. */
export interface Run {
  /** Set apart from other runs of the same process, such as those of mutants. */
  readonly name: string;
  readonly address: TargetAddress;
  /** Ids of the clauses whose checks are to run. */
  readonly clauses: readonly string[];
  readonly seed: number;
  /** Generated cases a property. */
  readonly numRuns: number;
  /** Whether its checks may be made at the same time as others: what they wait for is not waited for in turn. */
  readonly isAbreast?: boolean;
  /** Examples a property, at most; all of them where absent. */
  readonly mostExamples?: number;
  /** Clauses of which every example is tried all the same, and so many generated cases. */
  readonly thorough?: { readonly clauses: readonly string[]; readonly numRuns: number };
  /** Checks that are not made, as `clause: title`, since a budget does not reach so far. */
  readonly unbought?: readonly string[];
  /** Repeats the one case that a failing property ended with. */
  readonly path?: string;
  /** Runs only these checks. */
  readonly checks?: readonly CheckName[];
  /** Most cases that are tried to make a failing one smaller; 0: it is reported as it was found. */
  readonly mostShrinks: number;
  /** Requests besides, in the whole run, that are sent to see which of several nodes breaks a rule; none where absent. */
  readonly mostAgain?: number;
  /** How often a check that failed is repeated, to tell a deviation from a hiccup. */
  readonly repetitions: number;
  readonly traffic: Traffic;
  /** Deviations that are accepted today: a check that fails in such a way goes on to look for another. */
  readonly knownDeviations?: KnownDeviations;
  /** Where what happens is written down; nowhere when absent. */
  readonly trace?: TracePlace;
  /** Secrets that must show nowhere, each with the text that takes its place. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** How long a run waits for what goes wrong to end, in milliseconds. */
export interface Patience {
  /** For the whole answer to a request. */
  readonly answerMs: number;
  /** For the answer to the twin of a request that met trouble. */
  readonly twinMs: number;
  /** For the answer to an echo that only asks whether the target is there again. */
  readonly pingMs: number;
  readonly betweenPingsMs: number;
  /** For a target that is gone to come back, from the moment that it was found gone; then the run has lost it. */
  readonly goneMs: number;
  /** The same where its answers say by `Retry-After` when it is back, as those of a maintenance do; no longer than they say. */
  readonly saidMs: number;
  /** For a limit on the rate that nobody asked for, in the whole run: the minute that many limits last, and a half. */
  readonly limitMs: number;
}

/** What a run has where nothing else is said. */
export const usualPatience: Patience = {
  answerMs,
  twinMs: 3_000,
  pingMs: 2_000,
  betweenPingsMs: 500,
  goneMs: 20_000,
  saidMs: 60_000,
  limitMs: 90_000,
};
