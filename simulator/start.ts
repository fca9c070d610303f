import { randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';
import type { DatabaseSync } from 'node:sqlite';
import { answerControl, isControlPath } from './control/api.ts';
import { answerDocument, isDocumentPath } from './documents/download.ts';
import { runStages, type StagedRules, stagesOf } from './gateway/gateway.ts';
import type { Reply } from './http/reply.ts';
import type { RequestFacts } from './http/request-facts.ts';
import { listen, type Listening } from './http/server.ts';
import { logged, type RequestLog } from './request-log.ts';
import { referenceRules } from './rules/rules.ts';
import type { Service, ServiceParts } from './service.ts';
import { SettingError, type Settings, withSettings } from './settings.ts';
import type { ApplicationStore } from './state/applications.ts';
import { openDatabase } from './state/database.ts';
import { openState } from './state/state.ts';
import { Timeline, type DueWork } from './timeline.ts';
import { openSender } from './webhooks/sender.ts';
import { decideIssuance } from './authority/decisions.ts';
import type { Invoice, Verification } from './model.ts';
import { verdictOn } from './verification/examine.ts';
import { deliveries } from './webhooks/deliveries.ts';
import { queueIssuanceCallback, queueVerdictEvent } from './webhooks/events.ts';

export interface SimulatorOptions extends Settings {
  /** Interface to listen on; 127.0.0.1 when absent. */
  host?: string;
  /** 0, or absent: a free one. */
  port?: number;
  /** SQLite file that keeps the state; in memory when absent. */
  dataFile?: string;
  /** Guards the control API; when absent a random one on loopback, and no control API elsewhere. */
  controlToken?: string;
  /** Where callers reach it, when that is not where it listens: links to documents start with it. */
  publicUrl?: string;
  /** Starts the names of the five headers of deliveries; `X-Service` when absent. */
  headerPrefix?: string;
  /** Refuse to call addresses that are not public; off when absent. */
  publicCallbacksOnly?: boolean;
  /** Is told of each request; nobody is when absent. */
  log?: RequestLog;
  /** The reference rules when absent. */
  rules?: StagedRules;
}

export interface Simulator {
  /** `{base_url}` of the contract. */
  baseUrl: string;
  /** `NFE_CONTROL_URL`; absent, like its token, when the control API is off. */
  controlUrl?: string;
  controlToken?: string;
  /** The application that is kept for people to call with: made at the first call, found again in its data file. */
  readyApplication(): ReadyApplication;
  /** Closes every connection and the database; requests under way have so long to be answered: no time when absent. */
  stop(graceMs?: number): Promise<void>;
}

/**
 * Starts a simulator; rejects with a SettingError for an option that it can't start with. A database that is open already takes
 * the place of the data file, and is closed in the end.
 */
export async function startSimulator(options: SimulatorOptions = {}, opened?: DatabaseSync): Promise<Simulator> {
  const { host = '127.0.0.1', port = 0, publicCallbacksOnly = false, log } = options;
  const rules = withSettings(options.rules ?? referenceRules, options);
  const stages = stagesOf(rules);
  const publicUrl = publicUrlOf(options.publicUrl);
  const headerPrefix = headerPrefixOf(options.headerPrefix);
  if (host === '') throw new SettingError('host', 'the host is empty; give 127.0.0.1, 0.0.0.0 or another address');
  const controlToken = controlTokenOf(options.controlToken, host);
  const database = opened ?? openDatabase(options.dataFile);
  const state = openState(database);
  let origin = '';
  const { redirectsFollowed } = rules.webhookDelivery;
  const sender = openSender({ publicCallbacksOnly, redirectsFollowed });
  const parts: ServiceParts = { rules, state, publicUrl: () => publicUrl ?? origin, headerPrefix, sender };
  const service: Service = { ...parts, timeline: new Timeline(state.applications, dueWorks(parts)) };
  const answer = (request: RequestFacts): Promise<Reply> => {
    if (isControlPath(request.path)) return answerControl(request, controlToken, service);
    if (isDocumentPath(request.path)) return answerDocument(request, service);
    return runStages(request, stages, service);
  };
  const handle = log ? (request: RequestFacts) => logged(request, () => answer(request), log) : answer;
  const server = await listenOrExplain(host, port, handle).catch((error: unknown) => {
    database.close();
    throw error;
  });
  origin = server.origin;
  service.timeline.start();
  let stopping: Promise<void> | undefined;
  return {
    baseUrl: server.origin,
    ...(controlToken === undefined ? {} : { controlUrl: server.origin, controlToken }),
    readyApplication: () => readyApplication(state.applications),
    stop: (graceMs = 0) =>
      (stopping ??= server
        .close(graceMs)
        .then(() => service.timeline.stop())
        .then(() => database.close())),
  };
}

function controlTokenOf(given: string | undefined, host: string): string | undefined {
  if (given === undefined) return isLoopback(host) ? randomBytes(32).toString('base64url') : undefined;
  if (/^[\x21-\x7e]+$/.test(given)) return given;
  throw new SettingError('controlToken', 'a control token is one or more printable ASCII characters without spaces');
}

function publicUrlOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const isAddress = URL.canParse(given) && /^https?:\/\/[^?#]+$/.test(given);
  if (isAddress) return given.replace(/(?<!\/)\/+$/, '');
  throw new SettingError(
    'publicUrl',
    `${given || 'an empty text'} is no address; give one such as http://localhost:8080`,
  );
}

function headerPrefixOf(given = 'X-Service'): string {
  if (/^[a-z][a-z\d]*(-[a-z\d]+)*$/i.test(given)) return given;
  const advice = 'give letters and digits, in words that hyphens part, such as X-Service';
  throw new SettingError('headerPrefix', `${given || 'an empty text'} starts no header name; ${advice}`);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/** Why listening failed, by the system's error code: the setting to change and what to do. */
const listenFailures: Readonly<Record<string, readonly ['host' | 'port', string]>> = {
  EADDRINUSE: ['port', 'is in use; stop what listens there or take another (0: a free one)'],
  EACCES: ['port', 'needs more rights; take one above 1023'],
  ERR_SOCKET_BAD_PORT: ['port', 'is no port; ports go from 0 to 65535'],
  EADDRNOTAVAIL: ['host', 'is no address of this machine; try 127.0.0.1 or 0.0.0.0'],
  ENOTFOUND: ['host', 'is no known host; try 127.0.0.1 or 0.0.0.0'],
};

async function listenOrExplain(
  host: string,
  port: number,
  handle: (request: RequestFacts) => Promise<Reply>,
): Promise<Listening> {
  try {
    return await listen(host, port, handle);
  } catch (error) {
    const failure = listenFailures[error instanceof Error && 'code' in error ? String(error.code) : ''];
    if (!failure) throw error;
    const [setting, advice] = failure;
    throw new SettingError(setting, `${setting} ${setting === 'port' ? port : host} ${advice}`);
  }
}

/** An application with the secret to call with. */
interface ReadyApplication {
  readonly appKey: string;
  readonly appName: string;
  readonly appSecret: string;
}

/** Its own App Key, by which the next start finds it in the data file. */
const appKey = 'app-ready';

/** The application that is kept for people to call with, made when there is none yet: active, subscribed to all, system clock. */
function readyApplication(applications: ApplicationStore): ReadyApplication {
  const kept = applications.findByKey(appKey);
  const appSecret = applications.secretsOf(appKey).at(-1);
  if (kept && appSecret !== undefined) return { appKey, appName: kept.appName, appSecret };
  const made = applications.create({ appName: 'Ready application' }, appKey);
  return { appKey, appName: made.application.appName, appSecret: made.appSecret };
}

/** Everything that becomes due in a simulator; what a settlement brings about can start with it. */
function dueWorks(parts: ServiceParts): readonly DueWork[] {
  return [settlements(parts), verificationSettlements(parts), ...deliveries(parts)];
}

/** Has the tax authority asked for each invoice that is due, and keeps what it decides. Sections 1 and 3.1. */
function settlements(parts: ServiceParts): DueWork {
  const { state, rules } = parts;
  const settle = (invoice: Invoice, nowMs: number): void =>
    state.transaction(() => {
      const settlement = decideIssuance(invoice, nowMs, parts);
      state.invoices.settle(invoice.id, settlement);
      queueIssuanceCallback({ ...invoice, settlement }, parts);
    });
  return {
    nextDueMs: (appKey, afterMs) => state.invoices.nextDueMs(appKey, afterMs),
    startDue(appKey, nowMs) {
      if (!state.applications.findByKey(appKey)?.authority.isReachable) return [];
      for (const invoice of state.invoices.due(appKey, nowMs)) {
        if (rules.nfeIssuance.settles(invoice)) settle(invoice, Math.max(nowMs, invoice.dueMs));
      }
      return [];
    },
  };
}

/** Has the authority asked for each verification that is due, keeps the verdict and tells it. Sections 1 and 6.6. */
function verificationSettlements(parts: ServiceParts): DueWork {
  const { state, rules } = parts;
  const settle = (verification: Verification, nowMs: number): void =>
    state.transaction(() => {
      const application = state.applications.findByKey(verification.appKey);
      if (!application) throw new Error(`the application ${verification.appKey} of a verification is gone`);
      const verdict = verdictOn(verification.findings, application, nowMs, parts);
      state.verifications.settle(verification, verdict);
      if (rules.verdict.isSent(verdict)) queueVerdictEvent(application, verdict, nowMs, parts);
    });
  return {
    nextDueMs: (appKey, afterMs) => state.verifications.nextDueMs(appKey, afterMs),
    startDue(appKey, nowMs) {
      for (const verification of state.verifications.due(appKey, nowMs)) settle(verification, nowMs);
      return [];
    },
  };
}
