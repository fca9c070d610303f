import { setTimeout as sleep } from 'node:timers/promises';
import type { NeedName } from '../../contract/clause.ts';
import type { NfeOutcome, Trouble } from '../../contract/values.ts';
import { freshId } from '../../generators/nfe-ids.ts';
import { jsonOf, type Exchange } from '../../trace/exchange.ts';
import {
  failedAt,
  refusedBeforeBody,
  isForgotten,
  registerEmpresa,
  type EmpresaMemory,
  type EmpresaName,
  type RegisteredEmpresa,
  type SendCall,
} from '../../targets/empresa.ts';
import type { IssuedInvoice, SettledInvoice, TargetAddress } from '../../targets/address.ts';
import type { BodyFile, Profile, ProfileFile } from '../../targets/profile.ts';
import {
  type Pause,
  classOf,
  memberText,
  said,
  homologationCall,
  lookUp,
  settledQuery,
  verify,
} from './profile-tries.ts';

/** What the target made of a part of the profile. */
export interface Proof {
  readonly file: ProfileFile;
  /** Which part of the file, where it has several: "unknown.cnpj". */
  readonly part?: string;
  /** `holds`: it came out as the profile says; `otherwise`: the target did something else; `open`: it can't be told. */
  readonly state: 'holds' | 'otherwise' | 'open';
  /** What came of it, in words: the target's answer where it did otherwise. */
  readonly found: string;
  /** The needs that are not met where it did otherwise. */
  readonly needs: readonly NeedName[];
  readonly trouble: Trouble;
  /** Only as a control API decides it. */
  readonly isSteered?: true;
}

/** What trying a profile came to. */
export interface ProvenProfile {
  readonly proofs: readonly Proof[];
  /** The companies that were registered, or what was said instead. */
  readonly empresas: Partial<Readonly<Record<EmpresaName, RegisteredEmpresa>>>;
  /** The invoices that ended as the profile says. */
  readonly invoices?: NonNullable<TargetAddress['invoices']>;
  /** How long it took until a new company's certificate was in force, in milliseconds; absent where that was at once. */
  readonly certificateMs?: number;
}

/** What a profile is tried with. */
export interface Trying {
  readonly profile: Profile;
  readonly address: TargetAddress;
  /** Sends a call as the application of the run, and waits out what is the network's. */
  readonly send: SendCall;
  /** The companies that earlier runs had registered there. */
  readonly memory?: EmpresaMemory;
  /** Lets an asynchronous outcome come. */
  readonly pause: Pause;
  /** Has the tax authority decide so from now on, where a control API can. */
  readonly steer?: (outcome: NfeOutcome) => Promise<void>;
  /** How long to wait before each further issuance for a new company, as long as one is refused: none where absent. */
  readonly certificatePausesMs?: readonly number[];
  /** Whether something asked for needs this. */
  readonly isWanted: (need: NeedName) => boolean;
}

/** Tries every part of a profile that is wanted once, and says what the target made of it. */
export async function proveProfile(trying: Trying): Promise<ProvenProfile> {
  const companies = await tryCompanies(trying);
  const own = companies.empresas.own;
  const empresaId = own?.refusal === undefined ? own?.empresaId : undefined;
  const isNew = companies.proofs.some(({ file, state }) => file === 'empresa.json' && state === 'holds');
  const patient = isNew ? trying : { ...trying, certificatePausesMs: [] };
  const issued = empresaId === undefined ? undefined : await tryIssuances(patient, empresaId);
  const proofs = [
    ...companies.proofs,
    ...(issued?.proofs ?? []),
    ...(await tryDocuments(trying)),
    ...(await tryNumbers(trying)),
  ];
  const { invoices = {}, certificateMs } = issued ?? {};
  return { proofs, empresas: companies.empresas, invoices, ...(certificateMs === undefined ? {} : { certificateMs }) };
}

const companyNeeds = {
  own: { file: 'empresa.json', asks: ['empresa', 'empresa-registration'], breaks: ['empresa'] },
  other: { file: 'outra-empresa.json', asks: ['other-empresa'], breaks: ['other-empresa'] },
} as const satisfies Record<EmpresaName, { file: ProfileFile; asks: readonly NeedName[]; breaks: readonly NeedName[] }>;

async function tryCompanies({ profile, address, send, memory, isWanted }: Trying): Promise<ProvenProfile> {
  const empresas: Partial<Record<EmpresaName, RegisteredEmpresa>> = { ...address.empresas };
  const proofs: Proof[] = [];
  for (const name of ['own', 'other'] as const) {
    const { file, asks, breaks } = companyNeeds[name];
    const canTry = profile.json(file) !== undefined && profile.certificado !== undefined;
    if (empresas[name] || !canTry || !asks.some(isWanted)) continue;
    const registered = await registerEmpresa(send, profile, name, memory);
    empresas[name] = registered;
    const { refusal } = registered;
    proofs.push(
      refusal === undefined
        ? held(file, 'registered, with its certificate')
        : { file, state: 'otherwise', found: refusal, needs: breaks, trouble: troubleOf(registered) },
    );
  }
  return { proofs, empresas };
}

/** A refusal with 4xx is for the profile to mend; anything else is the target's own. */
function troubleOf(registered: RegisteredEmpresa): Trouble {
  const last = registered.association ?? registered.registration;
  return last && classOf(last) === 'refused' && !isForgotten(registered) ? 'settings' : 'target';
}

/** The issuances of a profile: both are under way before the first outcome is waited for. */
async function tryIssuances(trying: Trying, empresaId: string): Promise<Omit<ProvenProfile, 'empresas'>> {
  const proofs: Proof[] = [];
  let certificateMs: number | undefined;
  const invoices: Partial<Record<NfeOutcome, SettledInvoice>> = {};
  const waiting: { file: BodyFile; outcome: NfeOutcome; invoice: IssuedInvoice }[] = [];
  for (const [outcome, file, needs] of [
    ['Autorizada', 'nf-e.autorizada.json', ['accepted-issuance', 'authorised-issuance']],
    ['Negada', 'nf-e.negada.json', ['denied-issuance']],
  ] as const) {
    if (!needs.some(trying.isWanted)) continue;
    // Who waited for the first body has waited for the certificate.
    const isFirst = proofs.length + waiting.length === 0;
    const { invoice, waitedMs } = await sendInForce(trying, empresaId, file, isFirst);
    certificateMs ??= waitedMs;
    if (!invoice) continue;
    const { issuance: exchange } = invoice;
    if (classOf(exchange) === 'accepted') {
      waiting.push({ file, outcome, invoice });
    } else {
      const proof = otherwise(file, exchange, `was refused: ${said(exchange)}`, needs);
      proofs.push(
        isForOutcome(trying, file, waiting) ? { ...proof, state: 'open', needs: [], trouble: 'target' } : proof,
      );
    }
  }
  for (const { file, outcome, invoice } of waiting) {
    const settled = await settledQuery(trying.send, empresaId, invoice.nfeId, trying.pause);
    const proof = outcomeProof(trying, settled, file, outcome);
    if (proof.state === 'holds') invoices[outcome] = { ...invoice, settled };
    proofs.push(proof.state === 'otherwise' ? await steeredProof(trying, empresaId, proof, outcome) : proof);
  }
  proofs.push(...(await tryRefusedIssuance(trying, empresaId)));
  return { proofs, invoices, ...(certificateMs === undefined ? {} : { certificateMs }) };
}

/**
 * Whether a body that is refused can be so only for the outcome that it stands for: the other one was accepted, differs from it in a
 * free text alone, and a control API decides here.
 */
function isForOutcome({ profile, steer }: Trying, file: BodyFile, accepted: readonly { file: BodyFile }[]): boolean {
  const bare = (name: BodyFile): string => JSON.stringify({ ...profile.json(name), informacoesAdicionais: '' });
  return steer !== undefined && accepted.some((other) => bare(other.file) === bare(file));
}

/** Tries a body whose own outcome is another once more, with the tax authority told by the control API how to decide. */
async function steeredProof(trying: Trying, empresaId: string, proof: Proof, outcome: NfeOutcome): Promise<Proof> {
  const file = outcome === 'Autorizada' ? 'nf-e.autorizada.json' : 'nf-e.negada.json';
  if (!trying.steer) return proof;
  await trying.steer(outcome);
  const nfeId = freshId();
  await sendIssuance(trying, empresaId, file, nfeId);
  const settled = await settledQuery(trying.send, empresaId, nfeId, trying.pause);
  const steered = outcomeProof(trying, settled, file, outcome);
  if (steered.state !== 'holds') return { ...steered, state: 'open', needs: [] };
  return { ...held(file, `accepted, and is ${outcome} as the control API decides`), isSteered: true };
}

async function tryRefusedIssuance(trying: Trying, empresaId: string): Promise<Proof[]> {
  const file = 'nf-e.invalida.json';
  if (!trying.isWanted('refused-issuance')) return [];
  const exchange = await sendIssuance(trying, empresaId, file, freshId());
  if (!exchange) return [];
  if (classOf(exchange) !== 'accepted') return [held(file, `refused: ${exchange.response?.status}`)];
  return [otherwise(file, exchange, 'was accepted, and is to be refused', ['refused-issuance'])];
}

async function sendIssuance(
  { profile, send }: Trying,
  empresaId: string,
  file: BodyFile,
  id: string,
): Promise<Exchange | undefined> {
  const body = profile.json(file);
  return body && send(homologationCall(empresaId, body, id));
}

/**
 * Issues, and again later as long as that is refused: some seconds may pass until a certificate is in force, of which the
 * contract says nothing. Says how long it was waited where that helped.
 */
async function sendInForce(
  trying: Trying,
  empresaId: string,
  file: BodyFile,
  isPatient: boolean,
): Promise<{ readonly invoice: IssuedInvoice | undefined; readonly waitedMs?: number }> {
  const first = await sendOnce(trying, empresaId, file);
  let [invoice, waitedMs] = [first, 0];
  for (const pauseMs of isPatient ? (trying.certificatePausesMs ?? []) : []) {
    if (!invoice || classOf(invoice.issuance) !== 'refused') break;
    await sleep(pauseMs);
    waitedMs += pauseMs;
    invoice = await sendOnce(trying, empresaId, file);
  }
  const isHelped = waitedMs > 0 && invoice !== undefined && classOf(invoice.issuance) === 'accepted';
  return isHelped ? { invoice, waitedMs } : { invoice: first };
}

/** How often an issuance is tried under another id. */
const mostIds = 3;

/** Issues under an id that nobody has; under another one where the answer was lost, and the id is taken by then. */
async function sendOnce(trying: Trying, empresaId: string, file: BodyFile): Promise<IssuedInvoice | undefined> {
  for (let times = 1; ; times += 1) {
    const nfeId = freshId();
    const issuance = await sendIssuance(trying, empresaId, file, nfeId);
    if (!issuance) return undefined;
    if (!issuance.isResent || classOf(issuance) === 'accepted' || times === mostIds) return { nfeId, issuance };
  }
}

/** What became of an issuance that was accepted. A query that gives no state at all proves nothing of the profile. */
function outcomeProof(trying: Trying, exchange: Exchange, file: BodyFile, outcome: NfeOutcome): Proof {
  const need: NeedName = outcome === 'Autorizada' ? 'authorised-issuance' : 'denied-issuance';
  const status = memberText(exchange, 'status');
  if (status === outcome) return held(file, `accepted, and is ${outcome}`);
  if (status === 'AguardandoAutorizacao') {
    const found = `was still AguardandoAutorizacao after ${trying.address.settleTimeoutSeconds} s: NFE_SETTLE_TIMEOUT sets how long is waited`;
    return { file, state: 'otherwise', found: `the profile's ${file} ${found}`, needs: [need], trouble: 'target' };
  }
  if (status === 'Autorizada' || status === 'Negada' || status === 'Cancelada') {
    return otherwise(file, exchange, `was to end as ${outcome}, and is ${status}`, [need]);
  }
  return open(file, `the profile's ${file} was accepted, and a query says ${said(exchange)}`);
}

async function tryDocuments(trying: Trying): Promise<Proof[]> {
  const proofs: Proof[] = [];
  for (const [file, wanted, needs] of [
    ['verificacao.autorizada.xml', 'VALIDATED', ['valid-document']],
    ['verificacao.rejeitada.xml', 'REJECTED', ['rejected-document']],
  ] as const) {
    const all: readonly NeedName[] = wanted === 'VALIDATED' ? ['verified-document', ...needs] : needs;
    const document = trying.profile.bytes(file);
    if (!document || !all.some(trying.isWanted)) continue;
    const ask = (): ReturnType<typeof verify> => verify(trying.send, trying.address.xmlContentType, document);
    const first = await ask();
    // One node in several may be broken: what it answers says nothing of the document.
    const { exchange, status, isVerdict } = classOf(first.exchange) === 'broken' ? await ask() : first;
    if (status === wanted) proofs.push(held(file, wanted));
    else if (isVerdict) proofs.push(otherwise(file, exchange, `was to be ${wanted}, and is ${status}`, needs));
    else if (classOf(exchange) === 'accepted')
      proofs.push(open(file, `the profile's ${file} gets no verdict: ${said(exchange)}`));
    else proofs.push(otherwise(file, exchange, `was refused: ${said(exchange)}`, all));
  }
  return proofs;
}

/**
 * The numbers of `consultas.json`: a lookup each. Those that nobody has go first: what a target finds of them behind the others, since
 * it gives again what it found, is no fault of the profile.
 */
async function tryNumbers({ profile, send, isWanted }: Trying): Promise<Proof[]> {
  const { consultas } = profile;
  if (!consultas) return [];
  const proofs: Proof[] = [];
  for (const [need, number, isKnown] of [
    ['unknown-cnpj', 'cnpj', false],
    ['known-cnpj', 'cnpj', true],
    ['unknown-cpf', 'cpf', false],
    ['known-cpf', 'cpf', true],
  ] as const) {
    if (!isWanted(need)) continue;
    const exchange = await lookUp(send, `${number}-lookup`, isKnown ? consultas : consultas.unknown);
    const part = isKnown ? number : `unknown.${number}`;
    proofs.push({ ...numberProof(exchange, part, isKnown, need), part });
  }
  return proofs;
}

function numberProof(exchange: Exchange, part: string, isKnown: boolean, need: NeedName): Proof {
  const file = 'consultas.json';
  const answer = classOf(exchange);
  if (answer === 'broken') return open(file, `the profile's ${part}: ${said(exchange)}`);
  if (answer === (isKnown ? 'accepted' : 'refused')) return held(file, isKnown ? 'known' : 'unknown');
  // What tells of nobody is how the target says that a number is unknown: whether it may say so is for the checks.
  if (!isKnown && tellsNothing(exchange)) return open(file, `the profile's ${part}: ${said(exchange)}`);
  return otherwise(file, exchange, `${part} ${isKnown ? 'is not known' : 'is known'}: ${said(exchange)}`, [need]);
}

function tellsNothing({ response }: Exchange): boolean {
  const told = response && jsonOf(response);
  return typeof told !== 'object' || told === null || Object.keys(told).length === 0;
}

function held(file: ProfileFile, found: string): Proof {
  return { file, state: 'holds', found, needs: [], trouble: 'target' };
}

/** That nothing can be told of it. */
function open(file: ProfileFile, found: string): Proof {
  return { file, state: 'open', found, needs: [], trouble: 'target' };
}

/** That the target did otherwise than the profile says: for the profile to mend, unless the target is broken or barred. */
function otherwise(file: ProfileFile, exchange: Exchange, found: string, needs: readonly NeedName[]): Proof {
  const isLost = exchange.isResent && classOf(exchange) !== 'accepted';
  const trouble = classOf(exchange) === 'broken' ? 'target' : isLost ? 'network' : 'settings';
  const told =
    refusedBeforeBody(exchange) ?? failedAt(file, exchange, said(exchange)) ?? `the profile's ${file} ${found}`;
  return { file, state: 'otherwise', found: told, needs, trouble };
}
