import type { ApplicationWish } from '../../targets/control.ts';
import type { EmpresaName, RegisteredEmpresa } from '../../targets/empresa.ts';
import type { Caller } from '../../targets/caller.ts';
import type { Condition } from '../../targets/needs-met.ts';
import type { Target } from '../../targets/target.ts';
import type { Exchanges } from './exchanges.ts';
import type { Pool } from './pooled.ts';

/** Who calls in a check, and for which companies; each the same whenever the check asks for it. */
export interface Callers {
  /** An active application. */
  caller(): Promise<Caller>;
  /** An application in that condition. Needs the need of the same name. */
  callerIn(condition: Condition): Promise<Caller>;
  /** An application made to measure. Needs `chosen-application`. */
  callerLike(wish: ApplicationWish): Promise<Caller>;
  /** A company with its certificate that the caller may issue for. */
  empresa(caller: Caller, name?: EmpresaName): Promise<RegisteredEmpresa>;
}

/** The callers that a target has for a check; what is registered for them is sent by `exchanges`. */
export function callersOf(target: Target, exchanges: () => Exchanges, pool?: Pool): Callers {
  const callers = onceEach<Caller>();
  const empresas = onceEach<RegisteredEmpresa>();
  return {
    caller: () => callers('own', () => (pool ? pool.caller(target) : target.caller())),
    callerIn: (condition) => callers(condition, () => target.callerIn(condition)),
    callerLike: (wish) => callers(JSON.stringify(wish), () => target.chosenCaller(wish)),
    empresa: (caller, name = 'own') =>
      empresas(`${name} ${caller.appSecret}`, () => target.empresa(name, (call) => exchanges().send({ caller, call }))),
  };
}

/** Makes each thing once, whoever asks for its name meanwhile. */
function onceEach<T>(): (name: string, make: () => Promise<T>) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (name, make) => {
    const known = made.get(name) ?? make();
    made.set(name, known);
    return known;
  };
}
