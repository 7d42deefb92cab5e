import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256 } from '#libs/kernel';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AuditLog } from '../../accounts/audit/audit-log.js';
import { CLIENT_LIST, type ClientRow, type ClientSummary, summaryOf } from './client-list.sql.js';
import { OAuthGrants } from './oauth-grants.js';
import { ClientSecrets } from '../registration/client-secrets.js';
import { ClientSettingsEntity } from '../registration/client-settings.entity.js';
import { metadataOf, type NewClient } from '../registration/new-client.js';
import { DELETE_CLIENT, INSERT_CLIENT, LIVE_GRANTS, LOCK_CLIENT, SET_SECRET } from './oauth-clients.sql.js';

const ID_BYTES = 16;

/** A new application. Its secret is not stored and cannot be shown again; null = it has none. */
interface RegisteredClient {
  clientId: string;
  secret: string | null;
}

/** The operator's administration of applications. */
@Injectable()
export class OAuthClients {
  constructor(
    private readonly transactions: Transactions,
    private readonly secrets: ClientSecrets,
    private readonly grants: OAuthGrants,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Registers an application, which works at once in all processes.
   * @param auditId request id; null for the operator's command. @throws ApiError `invalid_parameter`.
   */
  register(input: NewClient, auditId: string | null): Promise<RegisteredClient> {
    return this.transactions.run(async (manager) => {
      const clientId = `client_${randomBytes(ID_BYTES).toString('base64url')}`;
      const metadata = metadataOf(clientId, input);
      const now = this.clock.wall();
      const secret = hasSecret(input.authMethod) ? this.secrets.mint() : null;
      const record = {
        ...metadata,
        client_id_issued_at: Math.floor(now.getTime() / 1000),
        ...(secret !== null && { client_secret: this.secrets.hash(clientId, secret), client_secret_expires_at: 0 }),
      };
      await manager.query(INSERT_CLIENT, [sha256(clientId), record, now]);
      const { name, authMethod, isGateway = false, isFapi2 = false } = input;
      await this.audit.record({
        event: 'client_registered',
        requestId: auditId,
        clientId,
        detail: { by: 'operator', name, auth_method: authMethod, gateway: isGateway, fapi2: isFapi2 },
      });
      return { clientId, secret };
    });
  }

  /**
   * All applications by id, whoever registered them, including those that people allowed by their metadata document.
   */
  async list(): Promise<ClientSummary[]> {
    const rows: ClientRow[] = await this.transactions.manager.query(CLIENT_LIST, [this.clock.wall()]);
    return rows.map(summaryOf);
  }

  /**
   * Removes an application and revokes all its grants, so that its tokens stop at once in all processes. An application
   * with a metadata document only loses its grants; it can ask people again. Resolves to the number of revoked grants.
   * @throws ApiError `not_found`.
   */
  remove(clientId: string, auditId: string | null): Promise<number> {
    return this.transactions.run(async (manager) => {
      const grants: { id: string }[] = await manager.query(LIVE_GRANTS, [clientId]);
      const [removed]: [{ name: string | null }[], number] = await manager.query(DELETE_CLIENT, [sha256(clientId)]);
      if (removed.length === 0 && grants.length === 0) throw unknownClient();
      await manager.delete(ClientSettingsEntity, { clientId });
      for (const { id } of grants) await this.grants.revoke(id, auditId);
      const detail = { by: 'operator', name: removed[0]?.name ?? null, grants_revoked: grants.length };
      await this.audit.record({ event: 'client_removed', requestId: auditId, clientId, detail });
      return grants.length;
    });
  }

  /**
   * Replaces the secret of an application; the old one stops at once. Only for applications that the operator
   * registered, because nobody could give a new secret to one that registered itself. Resolves to the secret. @throws
   * ApiError `not_found` or `state_conflict`.
   */
  rotateSecret(clientId: string, auditId: string | null): Promise<string> {
    return this.transactions.run(async (manager) => {
      const [row]: { payload: Record<string, unknown> }[] = await manager.query(LOCK_CLIENT, [sha256(clientId)]);
      if (!row) throw unknownClient();
      if (row.payload.registered_by !== 'operator') {
        throw new ApiError('state_conflict', 'The application registered itself; it can register again.');
      }
      if (!hasSecret(row.payload.token_endpoint_auth_method)) {
        throw new ApiError('state_conflict', 'The application has no secret.');
      }
      const secret = this.secrets.mint();
      await manager.query(SET_SECRET, [sha256(clientId), this.secrets.hash(clientId, secret)]);
      const detail = { by: 'operator', changed: 'secret' };
      await this.audit.record({ event: 'client_changed', requestId: auditId, clientId, detail });
      return secret;
    });
  }
}

function hasSecret(method: unknown): boolean {
  return method === 'client_secret_basic' || method === 'client_secret_post';
}

function unknownClient(): ApiError {
  return new ApiError('not_found', 'There is no such application.');
}
