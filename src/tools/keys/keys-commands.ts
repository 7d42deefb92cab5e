import type { DataSource } from 'typeorm';
import { AccountEntity } from '../../modules/accounts/account.entity.js';
import type { ApiKeyEntity } from '../../modules/credentials/api-keys/api-key.entity.js';
import { ApiKeysService } from '../../modules/credentials/api-keys/api-keys.service.js';
import { SpendPolicies } from '../../modules/credentials/spending/spend-policies.js';
import type { Environment } from '../../platform/config/environment.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Sealer } from '../../platform/secrets/sealer.js';
import type { KeysCommand } from './keys-arguments.js';
import { OperatorServices } from '../operator-services.js';
import { KEEP_SECRETS, type ToolResult } from '../operator-tool.js';
import { terminalLine } from '../terminal-line.js';

/** Runs commands with the service's own rules; running processes hear of every change at once. */
export class KeysCommands {
  private readonly services: OperatorServices;
  private readonly keys: ApiKeysService;

  constructor(dataSource: DataSource, environment: Environment) {
    this.services = new OperatorServices(dataSource);
    const { transactions, clock, audit } = this.services;
    this.keys = new ApiKeysService(
      transactions,
      new Sealer(environment),
      environment,
      clock,
      audit,
      new SpendPolicies(transactions, clock, audit),
    );
  }

  /** @throws ApiError with a sentence for the person at the terminal. */
  run(command: KeysCommand): Promise<ToolResult> {
    switch (command.name) {
      case 'create-set':
        return this.services.transactions.run(() => this.createSet(command));
      case 'create':
        return this.create(command);
      case 'list':
        return this.list(command.account);
      case 'roll':
        return this.roll(command.keyId, command.overlapHours);
      case 'revoke':
        return this.revoke(command.keyId);
    }
  }

  private async createSet(command: Extract<KeysCommand, { name: 'create-set' }>): Promise<ToolResult> {
    const account = await this.accountFor(command.account, command.wallet);
    const keys = await this.keys.createKeySet(account, {
      name: 'key set',
      limits: command.limits,
      ...daysOf(command.days),
    });
    const { id, name, walletAddress } = account;
    return {
      json: { account_id: id, name, wallet_address: walletAddress, keys },
      lines: [
        `Account ${id} (${name}${walletAddress === null ? '' : `, wallet ${walletAddress}`})`,
        ...Object.entries(keys).map(([scope, secret]) => `  ${scope.padEnd(12)}${secret}`),
        KEEP_SECRETS,
      ],
    };
  }

  private async create(command: Extract<KeysCommand, { name: 'create' }>): Promise<ToolResult> {
    const account = await this.services.lookup.known(command.account);
    const { key, secret } = await this.keys.create(account.id, {
      scope: command.scope,
      name: command.keyName ?? `${command.scope} key`,
      limits: command.limits,
      ...daysOf(command.days),
    });
    return { json: { ...this.wire(key), secret }, lines: [this.line(key), `  ${secret}`, KEEP_SECRETS] };
  }

  private async list(account: string | null): Promise<ToolResult> {
    const keys = await this.keys.list(account === null ? undefined : (await this.services.lookup.known(account)).id);
    const names = await this.services.lookup.names(keys.map(({ accountId }) => accountId));
    const nameOf = ({ accountId }: ApiKeyEntity) => names.get(accountId) ?? '';
    return {
      json: keys.map((key) => ({ ...this.wire(key), account_name: nameOf(key) })),
      lines: keys.length === 0 ? ['There are no keys.'] : keys.map((key) => this.line(key, nameOf(key))),
    };
  }

  private async roll(keyId: string, overlapHours: number | null): Promise<ToolResult> {
    const { key, secret } = await this.keys.roll(keyId, overlapHours ?? undefined);
    return {
      json: { ...this.wire(key), secret, replaces: keyId },
      lines: [this.line(key), `  ${secret}`, KEEP_SECRETS, `${keyId} ends after ${overlapHours ?? 24} hours.`],
    };
  }

  private async revoke(keyId: string): Promise<ToolResult> {
    const key = await this.keys.revoke(keyId);
    return { json: this.wire(key), lines: [this.line(key)] };
  }

  /** The account meant; a name that no account has makes one. */
  private async accountFor(nameOrId: string, walletAddress: string | null): Promise<AccountEntity> {
    const found = await this.services.lookup.find(nameOrId);
    if (!found) return this.services.accounts.create({ name: nameOrId, walletAddress });
    if (walletAddress !== null && found.walletAddress?.toLowerCase() !== walletAddress.toLowerCase()) {
      throw new ApiError('state_conflict', `Account ${found.id} exists already and does not have that wallet.`);
    }
    return found;
  }

  private line(key: ApiKeyEntity, accountName?: string): string {
    const owner = accountName === undefined ? [key.accountId] : [key.accountId, accountName];
    const columns = [key.id, ...owner, key.scope.padEnd(11), `${key.prefix}…${key.last4}`, this.state(key)];
    return terminalLine([...columns, `until ${key.expiresAt.toISOString()}`, key.name]);
  }

  private state(key: ApiKeyEntity): string {
    if (key.revokedAt) return 'revoked';
    return key.expiresAt <= this.services.clock.wall() ? 'expired' : 'live';
  }

  private wire(key: ApiKeyEntity) {
    return {
      key_id: key.id,
      account_id: key.accountId,
      scope: key.scope,
      name: key.name,
      prefix: key.prefix,
      last4: key.last4,
      state: this.state(key),
      created_at: key.createdAt,
      expires_at: key.expiresAt,
      revoked_at: key.revokedAt,
      last_used_at: key.lastUsedAt,
      cidrs: key.cidrs,
    };
  }
}

function daysOf(days: number | null): { days?: number } {
  return days === null ? {} : { days };
}
