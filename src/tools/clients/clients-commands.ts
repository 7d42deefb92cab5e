import { readFileSync } from 'node:fs';
import type { DataSource } from 'typeorm';
import { AuditEventEntity } from '../../modules/accounts/audit/audit-event.entity.js';
import { OAuthClients } from '../../modules/oauth/storage/oauth-clients.js';
import { OAuthGrantEntity } from '../../modules/oauth/storage/oauth-grant.entity.js';
import { SpendPolicies } from '../../modules/credentials/spending/spend-policies.js';
import { OAuthGrants } from '../../modules/oauth/storage/oauth-grants.js';
import { ClientSettings } from '../../modules/oauth/registration/client-settings.js';
import { ClientSecrets } from '../../modules/oauth/registration/client-secrets.js';
import { SigningKeys } from '../../modules/oauth/storage/signing-keys.js';
import type { Environment } from '../../platform/config/environment.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Sealer } from '../../platform/secrets/sealer.js';
import type { ClientsCommand, CreateClient } from './clients-arguments.js';
import { clientJson, clientLine, eventJson, eventLine, grantJson, grantLine } from './clients-output.js';
import { OperatorServices } from '../operator-services.js';
import { KEEP_SECRETS, type ToolResult } from '../operator-tool.js';
import { UsageError } from '../usage-error.js';

type SetClient = Extract<ClientsCommand, { name: 'set' }>;

/** Runs commands with the service's own rules; running processes hear of every change at once. */
export class ClientsCommands {
  private readonly clients: OAuthClients;
  private readonly grants: OAuthGrants;
  private readonly settings: ClientSettings;
  private readonly keys: SigningKeys;
  private readonly services: OperatorServices;

  constructor(dataSource: DataSource, environment: Environment) {
    const sealer = new Sealer(environment);
    this.services = new OperatorServices(dataSource);
    const { transactions, clock, audit } = this.services;
    this.grants = new OAuthGrants(transactions, audit, clock, new SpendPolicies(transactions, clock, audit));
    this.clients = new OAuthClients(transactions, new ClientSecrets(sealer), this.grants, clock, audit);
    this.settings = new ClientSettings(transactions, clock, audit);
    this.keys = new SigningKeys(transactions, sealer, clock, audit);
  }

  /** @throws ApiError with a sentence for the person at the terminal, or UsageError for a file that cannot be read. */
  run(command: ClientsCommand): Promise<ToolResult> {
    switch (command.name) {
      case 'create':
        return this.create(command);
      case 'list':
        return this.list();
      case 'remove':
        return this.remove(command.clientId);
      case 'rotate-secret':
        return this.rotateSecret(command.clientId);
      case 'set':
        return this.set(command);
      case 'grants':
        return this.listGrants(command.account);
      case 'revoke-grant':
        return this.revokeGrant(command.grantId);
      case 'rotate-signing-key':
        return this.rotateSigningKey();
      case 'audit':
        return this.audit(command);
    }
  }

  private async create(command: CreateClient): Promise<ToolResult> {
    const { clientName, redirectUris, authMethod, jwksFile, isGateway, isFapi2 } = command;
    const jwks = jwksFile === null ? undefined : readJson(jwksFile);
    const { clientId, secret } = await this.clients.register(
      { name: clientName, redirectUris, authMethod, jwks, isGateway, isFapi2 },
      null,
    );
    return {
      json: { client_id: clientId, client_secret: secret },
      lines: [`Client id  ${clientId}`, ...(secret === null ? [] : [`Secret     ${secret}`, KEEP_SECRETS])],
    };
  }

  private async list(): Promise<ToolResult> {
    const clients = await this.clients.list();
    return {
      json: clients.map(clientJson),
      lines: clients.length === 0 ? ['There are no applications.'] : clients.map(clientLine),
    };
  }

  private async remove(clientId: string): Promise<ToolResult> {
    const count = await this.clients.remove(clientId, null);
    return {
      json: { client_id: clientId, grants_revoked: count },
      lines: [`${clientId} is removed; ${count} grant${count === 1 ? ' was' : 's were'} revoked.`],
    };
  }

  private async rotateSecret(clientId: string): Promise<ToolResult> {
    const secret = await this.clients.rotateSecret(clientId, null);
    return { json: { client_id: clientId, client_secret: secret }, lines: [`Secret     ${secret}`, KEEP_SECRETS] };
  }

  private async set({ clientId, accessTokenSeconds: seconds }: SetClient): Promise<ToolResult> {
    await this.settings.setAccessTokenSeconds(clientId, seconds, null);
    const length = seconds === null ? 'as long as those of all' : `${seconds} seconds`;
    return {
      json: { client_id: clientId, access_token_seconds: seconds },
      lines: [`Access tokens of ${clientId} last ${length} from now on.`],
    };
  }

  private async listGrants(account: string | null): Promise<ToolResult> {
    const where = account === null ? {} : { accountId: (await this.services.lookup.known(account)).id };
    const grants = await this.services.transactions.manager.find(OAuthGrantEntity, {
      where,
      order: { createdAt: 'ASC' },
    });
    const now = this.services.clock.wall();
    return {
      json: grants.map((grant) => grantJson(grant, now)),
      lines: grants.length === 0 ? ['There are no grants.'] : grants.map((grant) => grantLine(grant, now)),
    };
  }

  private async revokeGrant(grantId: string): Promise<ToolResult> {
    if (!(await this.grants.revoke(grantId, null))) throw new ApiError('not_found', 'There is no such live grant.');
    return { json: { grant_id: grantId, state: 'revoked' }, lines: [`${grantId} is revoked.`] };
  }

  private async rotateSigningKey(): Promise<ToolResult> {
    const { keyId, signsFrom } = await this.keys.rotate(null);
    return {
      json: { key_id: keyId, signs_from: signsFrom },
      lines: [`Key ${keyId} is published; it signs from ${signsFrom.toISOString()}.`],
    };
  }

  private async audit({ account, event, limit }: Extract<ClientsCommand, { name: 'audit' }>): Promise<ToolResult> {
    const ofAccount = account === null ? {} : { accountId: (await this.services.lookup.known(account)).id };
    const events = await this.services.transactions.manager.find(AuditEventEntity, {
      where: { ...ofAccount, ...(event === null ? {} : { event }) },
      order: { id: 'DESC' },
      take: limit,
    });
    return {
      json: events.map(eventJson),
      lines: events.length === 0 ? ['There are no events.'] : events.map(eventLine),
    };
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    throw new UsageError(`${path} cannot be read, or is not JSON.`);
  }
}
