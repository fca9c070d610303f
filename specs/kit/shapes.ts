import { MIMEType } from 'node:util';
import { calledEndpoint, methodAndPath } from '../../contract/endpoints.ts';
import { mergeObserved, shapeOf, type ObservedShape } from '../../schemas/observed.ts';
import { headerOf, textOf, type Exchange, type Response } from '../../trace/exchange.ts';

/** Responses of one endpoint and status that a check looks at: the first ones; the others are only counted. */
const mostResponses = 20;
/** Bodies above this are not looked at. */
const mostBodyBytes = 256 * 1024;

/** What was seen before and what the response of an exchange looks like; of no response nothing is seen. */
export function withShape(seen: readonly ObservedShape[], { request, response }: Exchange): readonly ObservedShape[] {
  if (!response) return seen;
  const endpoint = endpointOf(request.method, request.target);
  const { status } = response;
  const before = seen.find((one) => one.endpoint === endpoint && one.status === status);
  const isLookedAt = (before?.responses ?? 0) < mostResponses;
  const look = isLookedAt ? lookOf(response) : { contentTypes: [], fields: [] };
  return mergeObserved([...seen, { endpoint, status, responses: 1, ...look }]);
}

function lookOf(response: Response): Pick<ObservedShape, 'contentTypes' | 'fields'> {
  const contentType = headerOf(response, 'content-type');
  const isSmall = response.rawBody.length <= mostBodyBytes;
  return {
    contentTypes: [mediaType(contentType)],
    fields: isSmall ? [...shapeOf(Buffer.from(textOf(response)), contentType)] : [],
  };
}

/** The content type without its parameters. */
function mediaType(contentType: string | undefined): string {
  if (contentType === undefined) return '(none)';
  try {
    return new MIMEType(contentType).essence;
  } catch {
    return '(malformed)';
  }
}

/** The name of the endpoint that a request is for, of a retired one its method and path; `other` for an unknown one. */
function endpointOf(method: string, target: string): string {
  const called = calledEndpoint(method, target);
  if (!called) return 'other';
  return 'name' in called ? called.name : methodAndPath(called);
}
