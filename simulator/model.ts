import type { ApplicationState, IntegratorState } from '../contract/request.ts';
import type { NfeOutcome, FiscalState, VerdictState } from '../contract/values.ts';
import type { Ambiente } from '../schemas/messages.ts';
import type { InvoiceContent } from './issuance/schema.ts';

/** The time an application lives in: the system's, or a test clock that stands still at these Unix milliseconds. */
export type Clock = 'system' | number;

/** Unix milliseconds that a clock shows. The system clock is read here and nowhere else. */
export function nowMs(clock: Clock): number {
  return clock === 'system' ? Date.now() : clock;
}

/** At most `limit` counted requests in each window, over all endpoints. */
interface RateLimit {
  readonly limit: number;
  readonly windowSeconds: number;
}

/** How the tax authority answers an application from now on, whatever its invoices earn. */
interface AuthoritySteering {
  /** Null: each invoice decides. */
  readonly issuance: { readonly outcome: NfeOutcome; readonly motivo?: string } | null;
  readonly isReachable: boolean;
}

/** What of an application may be chosen and changed. */
export interface ApplicationSettings {
  readonly appName: string;
  readonly state: ApplicationState;
  readonly integratorState: IntegratorState;
  /** Scopes: lower-cased paths in which `{xx}` stands for one segment. Section 4. */
  readonly subscriptions: 'all' | readonly string[];
  readonly rateLimit: RateLimit | null;
  readonly clock: Clock;
  /** How long after its request an issuance or a verification settles. */
  readonly settleSeconds: number;
  readonly authority: AuthoritySteering;
}

/** The caller of the service. Section 2.1. */
export interface Application extends ApplicationSettings {
  readonly appKey: string;
  /** Whose account it belongs to; each application has an account of its own. */
  readonly integratorId: string;
}

/** An application that may call everything, on the system clock. */
export const defaultSettings: Omit<ApplicationSettings, 'appName'> = {
  state: 'active',
  integratorState: 'active',
  subscriptions: 'all',
  rateLimit: null,
  clock: 'system',
  settleSeconds: 0,
  authority: { issuance: null, isReachable: true },
};

/** The headers that a request is authenticated by, as they were sent; empty where one is missing. Section 5.1. */
export interface SentHeaders {
  readonly token: string;
  readonly timestamp: string;
  readonly sign: string;
}

/** Where a company is. */
export interface EmpresaEndereco {
  readonly pais: string;
  /** IBGE codes: two digits of the state, seven of the city. */
  readonly codigoIbgeUf: number;
  readonly codigoIbgeCidade: number;
  readonly uf: string;
  readonly cidade: string;
  readonly logradouro: string;
  readonly numero: string;
  readonly complemento: string;
  readonly bairro: string;
  /** Eight digits. */
  readonly cep: string;
}

/** Where the numbering of a company's invoices starts in one environment. */
export interface Numbering {
  readonly sequencialNFe: number;
  /** One to three digits. */
  readonly serieNFe: string;
}

/** What an integrator tells of a company when it registers it. Section 2.7: the contract shows none of it. */
export interface EmpresaData {
  /** 14 digits. */
  readonly cnpj: string;
  readonly inscricaoEstadual: string;
  readonly inscricaoMunicipal: string;
  readonly razaoSocial: string;
  readonly nomeFantasia: string;
  readonly optanteSimplesNacional: boolean;
  readonly incentivadorCultural: boolean;
  readonly email: string;
  readonly telefoneComercial: string;
  readonly endereco: EmpresaEndereco;
  readonly emissaoNFeProduto: {
    readonly ambienteProducao: Numbering;
    readonly ambienteHomologacao: Numbering;
  };
}

/** The certificate of a company, opened. */
export interface Certificate {
  /** Subject's common name, such as `RAZAO SOCIAL:99999991000125`. */
  readonly commonName: string;
  /** Digits that end the common name; absent where it names no CNPJ. */
  readonly cnpj?: string;
  /** Unix milliseconds. */
  readonly notBeforeMs: number;
  readonly notAfterMs: number;
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** A company of one integrator. */
export interface Empresa {
  readonly empresaId: string;
  readonly integratorId: string;
  readonly data: EmpresaData;
  readonly certificate?: Certificate;
}

/** What an issuance asked for, numbered. */
export interface Issued {
  readonly empresaId: string;
  /** The `id` that the integrator sent. Section 2.2. */
  readonly nfeId: string;
  /** The application that issued it, by whose clock it settles. */
  readonly appKey: string;
  readonly ambiente: Ambiente;
  readonly content: InvoiceContent;
  readonly serie: number;
  readonly numero: number;
  /** 44 digits. */
  readonly chave: string;
  /** Unix milliseconds. */
  readonly issuedMs: number;
  /** When the authority is asked; it stands in the past while the authority can't be reached. */
  readonly dueMs: number;
}

/** What the tax authority decided. */
export interface Settlement {
  readonly outcome: NfeOutcome;
  readonly settledMs: number;
  /** Status code and description of a denial; empty for an authorisation. */
  readonly motivo: string;
  /** Protocol number of an authorisation. */
  readonly protocolo?: string;
}

/** The same as it is decided: with the document of an authorisation, which is read on its own from then on. */
export interface Decision extends Settlement {
  readonly xml?: Buffer;
}

/** An invoice that was accepted. */
export interface Invoice extends Issued {
  readonly id: number;
  readonly settlement?: Settlement;
}

/** The documents of an invoice that a link can lead to. */
export const documentKinds = ['xml', 'danfe'] as const;

export type DocumentKind = (typeof documentKinds)[number];

/** What a link leads to, and until when. */
export interface Link {
  readonly invoiceId: number;
  readonly kind: DocumentKind;
  /** Unix milliseconds. */
  readonly expiresMs: number;
}

/** An event that the authority registered against an invoice. */
export type AuthorityEvent = Readonly<Record<string, unknown>>;

/** What the tax authority knows of an invoice. Section 2.4. */
export interface AuthorityRecord {
  readonly status: FiscalState;
  readonly cStat: string | null;
  readonly xMotivo: string | null;
  readonly protocolo: { readonly numero: string; readonly digestValue: string } | null;
  /** ISO 8601, UTC. */
  readonly dataAutorizacao: string | null;
  readonly eventos: readonly AuthorityEvent[];
}

/** What a document says that the authority said of it. Nothing guards it: it is not signed. */
export interface ProtocolClaim {
  readonly chave: string;
  /** `nProt`. */
  readonly numero: string;
  readonly digestValue: string;
  readonly cStat: string;
  readonly xMotivo: string;
  /** ISO 8601, UTC; null where it is not to be read. */
  readonly receivedAt: string | null;
}

/** All that the verdict on a document needs to know of it; for a chave alone there is no more than that. */
export interface Findings {
  readonly chave: string;
  /** What is wrong with the document by itself, in English; absent where nothing is. */
  readonly fault?: string;
  /** The digest that was signed. */
  readonly digestValue?: string;
  readonly protocol?: ProtocolClaim;
}

/** What a verification came to, with what the authority has on record. Section 2.4. */
export interface Verdict extends AuthorityRecord {
  readonly chaveAcesso: string;
  readonly validationStatus: VerdictState;
  /** ISO 8601, UTC. */
  readonly verifiedAt: string;
  /** In English; absent for `VALIDATED`. */
  readonly reason?: string;
}

/** A document that an integrator had verified. */
export interface Asked {
  /** The application that asked, by whose clock it settles. */
  readonly appKey: string;
  readonly integratorId: string;
  /** SHA-256 of its bytes, in hexadecimal. */
  readonly documentHash: string;
  readonly findings: Findings;
  /** As it is known so far; `undefined` where the authority is to be asked anew. */
  readonly verdict?: Verdict | undefined;
}

export interface Verification extends Asked {
  readonly id: number;
}

/** The two ways by which the service pushes. Section 6. */
export const channels = ['issuance', 'verification'] as const;

export type Channel = (typeof channels)[number];

/** `dead`: all retries are used up. `held`: stopped by the circuit breaker of its target. Section 6.4. */
export const deliveryStates = ['pending', 'delivered', 'dead', 'held'] as const;

export type DeliveryState = (typeof deliveryStates)[number];

/** `planned`: the first attempt and its retries. `manual`: a re-push, which uses up no retry. */
export const attemptKinds = ['planned', 'manual'] as const;

export type AttemptKind = (typeof attemptKinds)[number];

/** An address that an application has its events of one channel sent to. */
export interface Target {
  readonly id: number;
  readonly appKey: string;
  readonly channel: Channel;
  /** As it was given. */
  readonly url: string;
  /** Issuance only: what was registered with the address, to be sent back with each delivery. */
  readonly token: string | null;
  readonly breaker: Breaker;
}

/** What stops deliveries to a target that keeps failing. Section 6.4. */
export interface Breaker {
  readonly failuresInARow: number;
  readonly isOpen: boolean;
}

/** Something to tell an application, to all of its addresses of one channel alike. */
export interface WebhookEvent {
  readonly appKey: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly rawBody: Buffer;
  /** Unix milliseconds. */
  readonly createdMs: number;
}

/** What one attempt carries to one address. */
export interface Outgoing extends WebhookEvent {
  readonly channel: Channel;
  readonly url: string;
  readonly token: string | null;
  /** Its own, of each attempt. */
  readonly deliveryId: string;
  /** Unix milliseconds, like all times here. */
  readonly startedMs: number;
}

/** An attempt that the books know as under way. */
export interface OpenAttempt extends Outgoing {
  readonly id: number;
  readonly kind: AttemptKind;
  readonly targetId: number;
  /** The row of the delivery that it belongs to. */
  readonly delivery: number;
  /** When the first attempt of its delivery started. */
  readonly firstStartedMs: number;
}

/** How far a delivery has come. */
export interface Progress {
  readonly state: DeliveryState;
  /** Planned attempts that failed. */
  readonly failedAttempts: number;
}

/** Headers of an answer, by their names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** How an attempt ended: with an answer, or with the reason why there is none. */
export type AttemptEnd = { readonly status: number; readonly headers?: AnswerHeaders } | { readonly error: string };

/** A delivery with its attempts, as the control API lists it. */
export interface DeliveryRecord {
  readonly eventId: string;
  readonly channel: Channel;
  readonly eventType: string;
  readonly url: string;
  readonly state: DeliveryState;
  readonly nextAttemptMs: number | null;
  /** Those that have ended. */
  readonly attempts: readonly AttemptRecord[];
}

export interface AttemptRecord {
  readonly deliveryId: string;
  readonly startedMs: number;
  readonly status: number | null;
  readonly error: string | null;
}
