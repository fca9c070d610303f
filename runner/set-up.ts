import { findClause } from '../contract/catalogue.ts';
import type { NeedName } from '../contract/needs.ts';
import type { TargetAddress, Traffic } from '../targets/address.ts';
import { registerEmpresa, type EmpresaName, type RegisteredEmpresa } from '../targets/empresa.ts';
import { sendCallAs } from '../targets/fair-send.ts';
import { NotExercised } from '../targets/not-exercised.ts';
import { openTarget } from '../targets/target.ts';

/** The needs that make a run register a company; the first says whether the profile describes it. */
const wanted = {
  own: ['empresa', 'empresa-registration'],
  other: ['other-empresa'],
} as const satisfies Readonly<Record<EmpresaName, readonly NeedName[]>>;

/**
 * Registers the companies that these clauses need, once for all checks, at a target that has one application for all of
 * them; with a control API each check registers its own. What the target refuses is kept, not thrown.
 */
export async function withEmpresas(
  address: TargetAddress,
  traffic: Traffic,
  clauses: readonly string[],
): Promise<TargetAddress> {
  if (address.control) return address;
  const needed = new Set(clauses.flatMap((id) => findClause(id)?.needs ?? []));
  const empresas: Partial<Record<EmpresaName, RegisteredEmpresa>> = { ...address.empresas };
  for (const name of ['own', 'other'] as const) {
    const isNeeded = wanted[name].some((need) => needed.has(need));
    const registered = isNeeded && !empresas[name] ? await register(name, address, traffic) : undefined;
    if (registered) empresas[name] = registered;
  }
  return { ...address, empresas };
}

async function register(
  name: EmpresaName,
  address: TargetAddress,
  traffic: Traffic,
): Promise<RegisteredEmpresa | undefined> {
  const target = openTarget(address, traffic);
  try {
    if (target.missing(wanted[name][0]) !== undefined) return undefined;
    const caller = await target.caller();
    const send = sendCallAs(target, caller);
    return await registerEmpresa(send, target.profile, name);
  } catch (error) {
    if (!(error instanceof NotExercised)) throw error;
    return { refusal: error.message };
  } finally {
    await target.close();
  }
}
