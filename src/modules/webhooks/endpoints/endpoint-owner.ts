import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { ContextRequest } from '../../../platform/http/principal.js';

/** Who manages endpoints: a credential those that it made, or a person on a page all those of the account. */
export interface EndpointOwner {
  readonly accountId: string;
  /** Null: the person. */
  readonly credentialId: string | null;
  /** Request id for the audit record; null: an operator's command. */
  readonly auditId: string | null;
}

/** The owner as which the request's credential acts; only on routes with a required scope. */
export const CurrentOwner = createParamDecorator((_: unknown, context: ExecutionContext): EndpointOwner => {
  const { principal, requestId } = context.switchToHttp().getRequest<ContextRequest>().context;
  if (!principal) throw new Error('CurrentOwner is used on a route without authentication');
  return { accountId: principal.accountId, credentialId: principal.credentialId, auditId: requestId };
});
