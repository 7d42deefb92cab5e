import { Injectable } from '@nestjs/common';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { errorPage } from '../../../platform/pages/error-page.js';
import { webPageHeaders } from '../../../platform/pages/page-shell.js';
import { OAuthUnavailable } from './oauth-fault.js';
import { OAuthRequests } from './oauth-requests.js';

/** Sentences for a person whom an application sent here with an invalid request. Nothing of the request is repeated. */
const REASONS: Readonly<Record<string, string>> = {
  invalid_client: 'This service does not know the application that sent you here.',
  invalid_client_metadata: 'This service does not accept the way in which the application describes itself.',
  invalid_redirect_uri: 'The application wants to send you back to an address that it has not registered.',
  invalid_request: 'The request of the application is invalid, expired, or started in another browser.',
  invalid_request_uri: 'The request of the application has expired or was already used.',
  temporarily_unavailable: 'The service cannot reach a part it needs.',
  server_error: 'The service failed; nothing was changed.',
};
const SUGGESTION = 'Go back to the application and connect again.';
const SUGGESTION_LATER = 'Try again in a moment.';

/** Renders errors of the library when it cannot send the person back to the application. */
@Injectable()
export class OAuthErrorPage {
  constructor(
    private readonly environment: Environment,
    private readonly requests: OAuthRequests,
  ) {}

  /** Writes HTML for browsers, and OAuth's JSON for all other clients. The library has set the status. */
  render(context: KoaContextWithOIDC, out: ErrorOut, error: Error): void {
    context.vary('Accept');
    if (context.accepts('json', 'html') !== 'html') {
      context.body = out;
      return;
    }
    const { displayName, baseUrl } = this.environment;
    const told = error instanceof OAuthUnavailable && error.cause instanceof ApiError ? error.cause.reason : undefined;
    // The library sends this answer after the audit row is written.
    context.set(webPageHeaders());
    context.body = errorPage({
      displayName,
      baseUrl,
      status: context.status,
      reason: told ?? REASONS[out.error] ?? 'The application sent a request that cannot be granted.',
      suggestion: context.status >= 500 ? SUGGESTION_LATER : SUGGESTION,
      requestId: this.requests.current?.request.context.requestId ?? '',
    });
  }
}
