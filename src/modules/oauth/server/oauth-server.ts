import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import type { Client, Interaction, InteractionResults, Provider } from 'oidc-provider';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { BrowserCookies } from '../../accounts/sessions/browser-cookies.js';
import { BrowserSessions } from '../../accounts/sessions/browser-sessions.js';
import { type ConsentDecision, GivenConsents } from './given-consents.js';
import { errors } from '../protocol/oidc-provider.js';
import { OAuthRecords } from '../storage/oauth-adapter.js';
import { OAuthUnavailable } from '../protocol/oauth-fault.js';
import { OAuthGrants } from '../storage/oauth-grants.js';
import { OAuthProvider } from './oauth-provider.js';
import { OAuthRequests } from '../protocol/oauth-requests.js';
import { type PendingAuthorization, pendingAuthorization } from './pending-authorization.js';
import { pinnedTo } from '../protocol/public-origin.js';
import { documentHost } from '../registration/client-rules.js';
import { DocumentAsker } from '../registration/document-asker.js';

export type { PendingAuthorization } from './pending-authorization.js';
export type { ConsentDecision } from './given-consents.js';

/**
 * The authorization server: serves the library's paths, and gives this service's pages access to a pending
 * authorization.
 */
@Injectable()
export class OAuthServer {
  private readonly pin: (request: Request) => void;

  constructor(
    private readonly environment: Environment,
    private readonly provider: OAuthProvider,
    private readonly requests: OAuthRequests,
    private readonly asker: DocumentAsker,
    private readonly records: OAuthRecords,
    private readonly consents: GivenConsents,
    private readonly grants: OAuthGrants,
    private readonly sessions: BrowserSessions,
    private readonly cookies: BrowserCookies,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    this.pin = pinnedTo(environment.baseUrl);
  }

  /**
   * The handler for the library's paths. Mount it on these paths only, because it answers every other path with 404.
   */
  handler(): RequestHandler {
    return async (request, response) => {
      this.pin(request);
      await this.requests.run(request, async () => {
        await this.meetClient(request.params['uid']);
        await this.provider.answer(request, response);
      });
    };
  }

  /**
   * Returns the pending authorization of this browser. @throws ApiError `not_found` when there is none, it is another
   * browser's, or it is over.
   */
  async pending(request: Request, response: Response): Promise<PendingAuthorization> {
    const interaction = await this.interaction(request, response);
    const client = await this.clientOf(request, interaction);
    return pendingAuthorization(interaction, client, this.environment.oauthKnownClientHosts);
  }

  /**
   * Tells the library who has signed in and redirects the browser (303). The caller must have verified the person and
   * started a browser session.
   * @throws ApiError `not_found` as `pending`.
   */
  async finishSignIn(request: Request, response: Response, accountId: string): Promise<void> {
    const interaction = await this.interaction(request, response);
    const ts = await this.signedInAt(request, accountId, interaction);
    await this.answer(interaction, async () => ({ login: { accountId, ts } }));
    await this.takeOver(request, response, interaction, accountId);
    redirect(response, interaction.returnTo);
  }

  /**
   * Stores a new grant and redirects the browser back to the application (303).
   * @throws ApiError `not_found` as `pending`; `state_conflict` when another account is signed in by now;
   *   `invalid_request` when no scope is allowed, or one that was not requested.
   */
  async finishConsent(request: Request, response: Response, decision: ConsentDecision): Promise<void> {
    const interaction = await this.interaction(request, response);
    const client = await this.clientOf(request, interaction);
    const { requestId } = request.context;
    await this.assertStillSignedIn(request, interaction);
    await this.answer(interaction, async () => {
      const grantId = await this.consents.write(this.provider.current, interaction, client, decision, requestId);
      return { consent: { grantId } };
    });
    redirect(response, interaction.returnTo);
  }

  /** Redirects the browser back with `access_denied` (303), and revokes a grant given a moment before. */
  async cancel(request: Request, response: Response): Promise<void> {
    const { uid } = await this.interaction(request, response);
    const returnTo = await this.transactions.run(async () => {
      // Waits for a concurrent answer to this interaction; a later answer finds this one.
      await this.records.answerOnce(uid);
      const interaction = await this.provider.current.Interaction.find(uid);
      if (interaction === undefined) throw isOver();
      const grantId = interaction.result?.consent?.grantId;
      if (grantId !== undefined) await this.grants.revoke(grantId, request.context.requestId);
      await this.save(interaction, {
        error: 'access_denied',
        error_description: 'the person did not allow it',
      });
      return interaction.returnTo;
    });
    redirect(response, returnTo);
  }

  /**
   * Loads the application's metadata document before an authorization continues, unless it is cached. The library would
   * fetch it only while it holds a transaction. @param uid of the interaction in the path, if it has one.
   */
  private async meetClient(uid: unknown): Promise<void> {
    if (typeof uid !== 'string') return;
    const { Interaction, Client } = this.provider.current;
    try {
      const clientId = (await Interaction.find(uid))?.params['client_id'];
      if (documentHost(clientId) !== null) await Client.find(String(clientId));
    } catch {
      // The library will meet the same error and answer it.
    }
  }

  private async interaction(request: Request, response: Response): Promise<Interaction> {
    try {
      return await this.provider.current.interactionDetails(request, response);
    } catch (error) {
      throw refusalOf(error);
    }
  }

  private async clientOf(request: Request, { params }: Interaction): Promise<Client> {
    try {
      const find = () => this.provider.current.Client.find(String(params['client_id']));
      const client = await this.asker.visiting(request, find);
      if (client) return client;
    } catch (error) {
      throw refusalOf(error);
    }
    throw isOver();
  }

  /** Time of the person's signature: the start of the browser's session, or now. */
  private async signedInAt(request: Request, accountId: string, interaction: Interaction): Promise<number> {
    const session = await this.sessions.find(this.cookies.readSession(request));
    const isOld = session?.accountId === accountId && interaction.params['max_age'] === undefined;
    return Math.floor((isOld ? session.createdAt.getTime() : this.clock.wallMs()) / 1000);
  }

  private async assertStillSignedIn(request: Request, { session }: Interaction): Promise<void> {
    const own = await this.sessions.find(this.cookies.readSession(request));
    if (session !== undefined && own?.accountId === session.accountId) return;
    throw new ApiError('state_conflict', 'This browser is not signed in with the account that was asked.');
  }

  /** Answers an interaction once. A second answer changes nothing and is redirected like the first. */
  private answer(interaction: Interaction, decide: () => Promise<InteractionResults>): Promise<void> {
    return this.transactions.run(async () => {
      if (!(await this.records.answerOnce(interaction.uid))) return;
      await this.save(interaction, await decide());
    });
  }

  private async save(interaction: Interaction, result: InteractionResults): Promise<void> {
    interaction.result = { ...('error' in result ? {} : interaction.lastSubmission), ...result };
    try {
      await interaction.persist();
    } catch (error) {
      throw refusalOf(error);
    }
  }

  /**
   * Switches the library's session of this browser to another account. Otherwise the library would first sign the
   * former account out, by a page with a script.
   */
  private async takeOver(
    request: Request,
    response: Response,
    { session: asked }: Interaction,
    accountId: string,
  ): Promise<void> {
    const provider: Provider = this.provider.current;
    const session = await provider.Session.get(provider.createContext(request, response)).catch((error: unknown) => {
      throw refusalOf(error);
    });
    if (session.accountId === undefined || session.accountId === accountId) return;
    if (asked !== undefined && asked.uid !== session.uid) throw isOver();
    session.accountId = accountId;
    session.authorizations = {};
    await session.persist();
  }
}

/** Redirects with 303. A 307 would send the form on to the application. */
function redirect(response: Response, to: string): void {
  response.setHeader('Location', to);
  response.setHeader('Content-Length', 0);
  response.status(303).end();
}

function isOver(): ApiError {
  return new ApiError('not_found', 'There is no such authorization request in this browser, or it is over.');
}

/** Converts an error of the library to an error of this service's routes. */
function refusalOf(error: unknown): unknown {
  if (error instanceof OAuthUnavailable) return error.cause;
  return error instanceof errors.OIDCProviderError && error.status < 500 ? isOver() : error;
}
