import { applicationStates, integratorStates } from '../../contract/request.ts';
import { nfeOutcomes } from '../../contract/values.ts';
import type { Application, AuthoritySteering } from '../model/application.ts';
import { nullableNumberOf, nullableTextOf, numberOf, textOf, wordOf, type Row } from './columns.ts';

/** The application that a row of the table `applications` keeps. */
export function applicationOf(row: Row): Application {
  const limit = nullableNumberOf(row, 'rate_limit');
  const windowSeconds = nullableNumberOf(row, 'rate_window_seconds');
  return {
    appKey: textOf(row, 'app_key'),
    appName: textOf(row, 'app_name'),
    integratorId: textOf(row, 'integrator_id'),
    state: wordOf(row, 'state', applicationStates),
    integratorState: wordOf(row, 'integrator_state', integratorStates),
    subscriptions: scopesOf(nullableTextOf(row, 'subscriptions')),
    rateLimit: limit === null || windowSeconds === null ? null : { limit, windowSeconds },
    clock: nullableNumberOf(row, 'clock_ms') ?? 'system',
    settleSeconds: numberOf(row, 'settle_seconds'),
    authority: steeringOf(row),
  };
}

/** The columns that keep an application, by the names of their parameters. */
export function columnsOf(application: Application): Record<string, string | number | null> {
  const { subscriptions, rateLimit, clock, authority } = application;
  return {
    app_key: application.appKey,
    app_name: application.appName,
    integrator_id: application.integratorId,
    state: application.state,
    integrator_state: application.integratorState,
    subscriptions: subscriptions === 'all' ? null : JSON.stringify(subscriptions),
    rate_limit: rateLimit?.limit ?? null,
    rate_window_seconds: rateLimit?.windowSeconds ?? null,
    clock_ms: clock === 'system' ? null : clock,
    settle_seconds: application.settleSeconds,
    authority_outcome: authority.issuance?.outcome ?? null,
    authority_motivo: authority.issuance?.motivo ?? null,
    authority_reachable: authority.isReachable ? 1 : 0,
  };
}

function steeringOf(row: Row): AuthoritySteering {
  const isReachable = numberOf(row, 'authority_reachable') === 1;
  if (nullableTextOf(row, 'authority_outcome') === null) return { issuance: null, isReachable };
  const outcome = wordOf(row, 'authority_outcome', nfeOutcomes);
  const motivo = nullableTextOf(row, 'authority_motivo');
  return { issuance: { outcome, ...(motivo === null ? {} : { motivo }) }, isReachable };
}

function scopesOf(json: string | null): 'all' | readonly string[] {
  if (json === null) return 'all';
  const scopes: unknown = JSON.parse(json);
  return Array.isArray(scopes) ? scopes.map(String) : [];
}
