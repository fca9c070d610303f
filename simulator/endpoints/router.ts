import type { EndpointName } from '../../contract/endpoints.ts';
import type { Stage } from '../gateway/stages.ts';
import type { Reply } from '../http/reply.ts';
import type { RequestFacts } from '../http/request-facts.ts';
import { refuseFor, type Refusal } from '../rules/refusal.ts';
import { findRoute, type PathVariables } from '../rules/route.ts';
import { answerUnlessStruck, type Call } from './call.ts';
import { certificadoAssociationEndpoint, empresaRegistrationEndpoint } from './registrations.ts';
import { chaveLookupEndpoint, cnpjLookupEndpoint, cpfLookupEndpoint, nfeVerificationEndpoint } from './consultas.ts';
import { nfeIssuanceEndpoint, nfeCancellationEndpoint, nfeQueryEndpoint } from './nfe.ts';
import { webhookRegistrationEndpoint } from './webhook-registration.ts';
import { parseJsonObject } from '../http/json.ts';

/** What an endpoint does with a request that the gateway has let through. */
type EndpointHandler = (request: RequestFacts, call: Call, variables: PathVariables) => Reply | Promise<Reply>;

const handlers: Readonly<Record<EndpointName, EndpointHandler>> = {
  echo: echoEndpoint,
  'empresa-registration': empresaRegistrationEndpoint,
  'certificado-association': certificadoAssociationEndpoint,
  'webhook-registration': webhookRegistrationEndpoint,
  'nfe-issuance': nfeIssuanceEndpoint,
  'nfe-query': nfeQueryEndpoint,
  'nfe-cancellation': nfeCancellationEndpoint,
  'nfe-verification': nfeVerificationEndpoint,
  'chave-lookup': chaveLookupEndpoint,
  'cnpj-lookup': cnpjLookupEndpoint,
  'cpf-lookup': cpfLookupEndpoint,
};

/**
 * Answers for the endpoint that is addressed. It passes on a path or method that is none of them, and a request without a
 * caller, which comes here only past a gateway that does not ask for one. Section 4.
 */
export const endpointStage: Stage = {
  name: 'endpoint',
  answer(request, context) {
    const { rules, application } = context;
    const route = findRoute(request.method, request.path);
    if (!route || !application) return undefined;
    const refuse: Call['refuse'] = (...reasons) => refuseFor(reasons, request, rules);
    const { endpoint, variables } = route;
    const call: Call = { ...context, caller: application, refuse };
    return answerUnlessStruck(endpoint.name, request, call, () => handlers[endpoint.name](request, call, variables));
  },
};

/** Returns the message with the caller's identity and time; 400 for a body without one. Sections 2.5 and 5.4. */
function echoEndpoint(request: RequestFacts, call: Call): Reply {
  const { echo, envelope, language } = call.rules;
  const chosen = language.choose(request.headers);
  const sent = parseJsonObject(request.rawBody)?.['message'];
  if (typeof sent !== 'string') return call.refuse(withoutMessage);
  const data = echo.data({
    echo: echo.message(sent),
    appKey: call.caller.appKey,
    appName: call.caller.appName,
    serverTime: echo.serverTime(new Date(call.nowMs)),
  });
  return { status: echo.status, body: envelope.ok(data, language.text('success', chosen)) };
}

const withoutMessage: Refusal = {
  code: 'SIM-ECHO-WITHOUT-MESSAGE',
  message: {
    zh: '请求体必须是 JSON 对象，且 message 为字符串',
    en: 'The body is to be a JSON object whose message is a string',
    pt: 'O corpo deve ser um objeto JSON em que message é um texto',
    es: 'El cuerpo debe ser un objeto JSON en el que message es un texto',
  },
};
