import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ContextRequest } from '../../../platform/http/principal.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { ActionIntent } from '../action/prepared-kind.js';

/** A parameter: who asks for an action and by which request. Usable only on writes that require a scope. */
export const Intent = createParamDecorator((_: unknown, context: ExecutionContext): ActionIntent => {
  const request = context.switchToHttp().getRequest<ContextRequest>();
  const { principal, requestDigest } = request.context;
  if (!principal || !requestDigest) throw new Error('Intent is used on a route that prepares nothing');
  return { ...principal, requestDigest, request: askedRequestOf(request) };
});

function askedRequestOf({ path, params, context: { requestBody } }: ContextRequest): OriginatingRequest {
  const named = Object.entries(params).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  const asked = { path, params: Object.fromEntries(named) };
  return requestBody === undefined ? asked : { ...asked, body: requestBody };
}
