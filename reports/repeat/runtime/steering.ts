import type { Step } from '../../../schemas/evidence.ts';
import type { Applications } from './applications.ts';
import { atOf, hide, secretNames, NotTried, Otherwise, shown, type Call, type Steering } from './kit.ts';
import type { Likeness } from './likeness.ts';
import type { Receiver } from './receiver.ts';
import { control } from './requests.ts';
import { deliveriesTo } from './steps.ts';

/** What a steering of the run is made anew with. */
interface Stage {
  readonly steps: readonly Step[];
  readonly applications: Applications;
  readonly receiver: Receiver;
  readonly alike: Likeness;
}

/** Does by the control API what the run did by it. */
export async function steer({ call, application, isSetUp }: Steering, stage: Stage): Promise<void> {
  const { applications, alike } = stage;
  if (call.path === '/applications') return applications.make(call.json, application ?? '');
  // What a path names stands escaped in it.
  const translated = (segment: string): string => encodeURIComponent(alike.translated(decodeURIComponent(segment)));
  const path = call.path.split('/').map(translated).join('/');
  const json = bodyOf(call.json, application, call.at, stage);
  alike.sent(`${call.path} ${JSON.stringify(call.json)}`, `${path} ${JSON.stringify(json)}`);
  const { status, answer } = await control(call.method, path, json);
  const body = json === undefined ? '' : JSON.stringify(json).slice(0, 120);
  console.log(shown(`steer ${call.method} ${path} ${body} -> ${status}`));
  if (path.endsWith('/secret') && typeof answer === 'object' && answer !== null && 'appSecret' in answer) {
    const secrets = applications.of({ application })?.secrets;
    secrets?.push(hide(String(answer.appSecret), secretNames[secrets.length] ?? '$NEWER_APP_SECRET'));
  }
  if (status === call.status) return;
  const words = `the control API answered ${call.method} ${call.path} with ${status}, in the run ${call.status}`;
  throw isSetUp || !path.endsWith('verification-webhook') ? new NotTried(words) : new Otherwise(words);
}

/** What is sent to the control API, with addresses of this script's own in the place of the run's. */
function bodyOf(
  json: unknown,
  application: string | undefined,
  atMs: number,
  { steps, receiver, alike }: Stage,
): unknown {
  if (typeof json !== 'object' || json === null || !('urls' in json) || !Array.isArray(json.urls)) {
    return json === undefined || json === null ? undefined : JSON.parse(alike.translated(JSON.stringify(json)));
  }
  const addresses = addressesOf(steps, application, json.urls.map(String), atMs);
  return {
    urls: json.urls.map((url, at) => {
      const address = addresses[at] ?? `none ${at}`;
      return receiver.addressFor(address, String(url), deliveriesTo(steps, address));
    }),
  };
}

/** The names of the addresses for verdicts, in the order of their URLs, as far as deliveries came to them from then on. */
function addressesOf(
  steps: readonly Step[],
  application: string | undefined,
  urls: readonly string[],
  atMs: number,
): string[] {
  const deliveries = steps.filter(
    (step): step is Call => step.kind === 'delivery' && step.application === application && atOf(step) >= atMs,
  );
  const names = [...new Set(deliveries.flatMap(({ address }) => address ?? []))];
  const byPath = urls.map((url) => {
    const { pathname } = new URL(url);
    return deliveries.find(({ evidence }) => pathname === evidence.request.target.split('?', 1)[0])?.address;
  });
  const left = names.filter((name) => !byPath.includes(name));
  return byPath.map((name, at) => name ?? left.shift() ?? `none ${at} of ${application}`);
}
