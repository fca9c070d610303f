import { ownSchemas } from '../../schemas/validate.ts';
import { Ajv2020, type ErrorObject, type SchemaObject } from 'ajv/dist/2020.js';
import { onFirstUse } from '../../schemas/values.ts';
import type { Reply } from '../http/reply.ts';
import type { Application } from '../model.ts';
import type { PathVariables } from '../rules/route.ts';
import type { Service } from '../service.ts';
import { parseJsonObject } from '../http/json.ts';

/** A request of the control API, after its token was accepted. */
interface ControlCall {
  readonly variables: PathVariables;
  readonly rawBody: Buffer;
}

/** Answers one route of the control API. */
export type ControlHandler = (call: ControlCall, service: Service) => Reply | Promise<Reply>;

/** Answers about an application, once it is known that there is one. */
type ApplicationAnswer = (application: Application, service: Service, call: ControlCall) => ReturnType<ControlHandler>;

/** A route of an application: 404 where there is none of that App Key. */
export function aboutApplication(answer: ApplicationAnswer): ControlHandler {
  return (call, service) => {
    const application = service.state.applications.findByKey(call.variables['appKey'] ?? '');
    return application ? answer(application, service, call) : controlError(404, 'No application has this App Key.');
  };
}

/** A route that takes a body: 400, with a sentence, for one that is not as it is to be. */
export function withBody<T>(
  read: BodyReader<T>,
  answer: (body: T, service: Service, call: ControlCall) => ReturnType<ControlHandler>,
): ControlHandler {
  return (call, service) => {
    const body = read(call.rawBody);
    return 'error' in body ? controlError(400, body.error) : answer(body.value, service, call);
  };
}

/** A route of an application that takes a body. */
export function changing<T>(
  read: BodyReader<T>,
  answer: (application: Application, body: T, service: Service, call: ControlCall) => ReturnType<ControlHandler>,
): ControlHandler {
  return withBody(read, (body, outer, call) =>
    aboutApplication((application, service) => answer(application, body, service, call))(call, outer),
  );
}

/** Checks a request body: gives its value, or one sentence that says what is wrong with it. */
type BodyReader<T> = (rawBody: Buffer) => { readonly value: T } | { readonly error: string };

/** A JSON Schema whose descriptions read on after "The field <name> is to be". */
interface BodySchema extends SchemaObject {
  readonly properties: Readonly<Record<string, { readonly description: string }>>;
}

/** Reads bodies by a JSON Schema of an object; no body at all counts as an empty object. */
export function bodyReader<T>(schema: BodySchema): BodyReader<T> {
  const validator = onFirstUse(() => new Ajv2020({ ...ownSchemas, strict: true }).compile<T>(schema));
  return (rawBody) => {
    const body = rawBody.length === 0 ? {} : parseJsonObject(rawBody);
    if (body === undefined) return { error: 'The body is to be a JSON object.' };
    const isValid = validator();
    const value: unknown = body;
    return isValid(value) ? { value } : { error: sentence(isValid.errors ?? [], schema) };
  };
}

/** The first fault, as a sentence that names the field. */
function sentence([fault]: readonly ErrorObject[], { properties }: BodySchema): string {
  const field = fault?.instancePath.split('/')[1];
  if (field !== undefined) return `The field ${field} is to be ${properties[field]?.description ?? 'another'}.`;
  const params: Record<string, unknown> = fault?.params ?? {};
  if (fault?.keyword === 'required') return `The field ${String(params['missingProperty'])} is missing.`;
  const known = Object.keys(properties).join(', ') || 'none';
  return `The field ${String(params['additionalProperty'])} is unknown; known here: ${known}.`;
}

/** An error of the control API: one sentence. */
export function controlError(status: number, error: string, headers: Reply['headers'] = {}): Reply {
  return { status, body: { error }, headers };
}

/** An application as the control API shows it: without its secret. */
export function applicationView(application: Application): object {
  const { appKey, appName, state, integratorState, subscriptions, rateLimit, clock, settleSeconds } = application;
  const shownClock = clock === 'system' ? clock : new Date(clock).toISOString();
  return { appKey, appName, state, integratorState, subscriptions, rateLimit, clock: shownClock, settleSeconds };
}
