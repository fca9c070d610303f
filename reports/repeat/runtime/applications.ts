import type { Step } from '../../../schemas/evidence.ts';
import { hide, env, madeIn, NotTried, secretNamed, secretNames, type Call } from './kit.ts';
import type { Likeness } from './likeness.ts';
import { inProfile } from './profile.ts';
import { control, controlAt, isOwn } from './requests.ts';

interface Application {
  readonly key: string;
  readonly secrets: string[];
  /** Whether its clock stands still until it is moved. */
  readonly hasOwnClock: boolean;
}

/** The applications that a repetition calls as: made anew by the control API, or those of the settings, whose secrets are in the environment. */
export class Applications {
  /** By their App Keys in the run. */
  readonly #made = new Map<string, Application>();
  readonly #alike: Likeness;

  constructor(alike: Likeness) {
    this.#alike = alike;
  }

  /** The one that was made for that App Key of the run, if one was. */
  of({ application }: { readonly application?: string | undefined }): Application | undefined {
    return this.#made.get(application ?? '');
  }

  /** Whether one of them has a clock that need not be waited for. */
  haveOwnClock(): boolean {
    return [...this.#made.values()].some(({ hasOwnClock }) => hasOwnClock);
  }

  /** Makes an application as the run made `was`. */
  async make(wish: unknown, was: string): Promise<void> {
    const { status, answer } = await control('POST', '/applications', wish);
    const has = (name: string): string =>
      typeof answer === 'object' && answer !== null && name in answer ? String(Reflect.get(answer, name)) : '';
    if (status !== 201) throw new NotTried(`the control API made no application: ${status}`);
    console.log(`make  an application ${JSON.stringify(wish)}`);
    const hasOwnClock = typeof wish === 'object' && wish !== null && 'clock' in wish && wish.clock !== 'system';
    this.#made.set(was, { key: has('appKey'), secrets: [hide(has('appSecret'), '$APP_SECRET')], hasOwnClock });
    if (was !== '') this.#alike.same(was, has('appKey'));
  }

  /** Makes those that the run found there, where no secret of one is known and the control API is; gives the first call of each. */
  async standIn(steps: readonly Step[]): Promise<Call[]> {
    if (env['NFE_APP_SECRET'] || !controlAt()) return [];
    const made = madeIn(steps);
    const calls = steps.filter((step): step is Call => step.kind === 'call' && isPlain(step));
    const first = calls.filter(
      ({ application = '' }, at) =>
        !made.has(application) && at === calls.findIndex((one) => (one.application ?? '') === application),
    );
    for (const { application = '', now } of first) {
      // A clock of its own stands still until it is moved.
      const clock = now === undefined ? {} : { clock: new Date(now * 1000).toISOString() };
      await this.make({ appName: 'Conformance suite', ...clock }, application);
    }
    return first;
  }

  /** The secret that a step is signed with, by the name that the run has for it. */
  secretOf(name: string, step: Call): string {
    const own = this.of(step);
    if (own) return secretOf(own, name) ?? '';
    if (!isOwn(name)) return secretNamed(name.slice(1));
    if (!isPlain(step))
      throw new NotTried('NFE_CONTROL_URL is not set: the run had made an application in a condition of its own');
    return secretNamed('NFE_APP_SECRET');
  }

  /** A token that is not its caller's: his App Key, a secret that a rotation has made invalid, or that of another application. */
  tokenOfAnother(text: string, step: Call): string {
    const all = [...this.#made];
    const own = this.of(step);
    if (text === '$NFE_APP_KEY' && own) return own.key;
    if (!isOwn(text)) return text;
    const rotated = all.find(([, { secrets }]) => secrets.length > 1)?.[1];
    const other = rotated ?? all.find(([name]) => name !== step.application)?.[1] ?? own;
    return (other && secretOf(other, text)) ?? text;
  }

  /** A text of the run with what is this time's: ids, addresses, and what the mask has names for. */
  anew(text: string): string {
    return this.filled(this.#alike.translated(text));
  }

  /** Names of the mask, each replaced by what the environment has for it. */
  filled(text: string): string {
    return text
      .replace(
        /\$(?:NEW(?:ER)?_)?APP_SECRET/g,
        () => [...this.#made.values()].at(0)?.secrets.at(-1) ?? secretNamed('NFE_APP_SECRET'),
      )
      .replace(/\$NFE_[A-Z_]+/g, (name) => secretNamed(name.slice(1)))
      .replace(/\$([A-Za-z]+)\b/g, (name, own: string) => env[own] ?? inProfile(own) ?? name);
  }
}

/** The secret of an application that a report has that name for; of more rotations than there are names, the last. */
function secretOf({ secrets }: Application, name: string): string | undefined {
  const at = secretNames.indexOf(name);
  const byName = at === secretNames.length - 1 ? undefined : secrets[Math.max(0, at)];
  return byName ?? secrets.at(-1);
}

/** Whether the caller of a step is in no condition of its own. */
function isPlain({ evidence: { caller } }: Call): boolean {
  return Object.keys(caller?.standing ?? {}).length === 0;
}
