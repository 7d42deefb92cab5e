import { Injectable } from '@nestjs/common';
import { getAddress } from 'ethers';
import { type EntityManager, In, IsNull, Not, QueryFailedError } from 'typeorm';
import { hidesText, newId } from '#libs/kernel';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Clock } from '../../platform/time/clock.js';
import { type AuditEntry, AuditLog } from './audit/audit-log.js';
import { announceCredentialChange } from './credential-changes.js';
import { BrowserSessionEntity } from './browser-session.entity.js';
import { lockWallet, walletOwner } from './wallet-owner.sql.js';
import { AccountEntity } from './account.entity.js';

/** Input for a new account. */
export interface NewAccount {
  /** 1 to 120 characters; need not be unique. */
  name: string;
  /** 0x address, any letter case; null or absent = linked later. */
  walletAddress?: string | null;
}

const MAX_NAME = 120;

/** Creates, finds, suspends and resumes accounts, the principals of the marketplace. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /**
   * Creates an account. @throws ApiError `invalid_parameter`, or `state_conflict` when another account has the wallet.
   */
  async create({ name, walletAddress = null }: NewAccount): Promise<AccountEntity> {
    const trimmed = name.trim();
    if (trimmed.length === 0 || trimmed.length > MAX_NAME) {
      throw new ApiError('invalid_parameter', `An account name has 1 to ${MAX_NAME} characters.`);
    }
    if (hidesText(trimmed)) {
      throw new ApiError('invalid_parameter', 'An account name holds no characters that cannot be seen.');
    }
    const now = this.clock.now();
    const account: AccountEntity = {
      id: newId('acct', now.getTime()),
      name: trimmed,
      walletAddress: walletAddress === null ? null : checksummed(walletAddress),
      status: 'active',
      createdAt: now,
    };
    await this.transactions.run((manager) => insertUnlessTaken(manager, account));
    return account;
  }

  /** The account with this id. @throws ApiError `not_found`. */
  async find(accountId: string): Promise<AccountEntity> {
    const account = await this.transactions.manager.findOneBy(AccountEntity, { id: accountId });
    if (!account) throw new ApiError('not_found', 'There is no such account.');
    return account;
  }

  /** All accounts of this name, oldest first. */
  findByName(name: string): Promise<AccountEntity[]> {
    return this.transactions.manager.find(AccountEntity, { where: { name }, order: { id: 'ASC' } });
  }

  /** Names of these accounts by account id; ids without an account are left out. */
  async namesOf(accountIds: readonly string[]): Promise<Map<string, string>> {
    const where = { id: In([...accountIds]) };
    const accounts = await this.transactions.manager.find(AccountEntity, { select: { id: true, name: true }, where });
    return new Map(accounts.map(({ id, name }) => [id, name]));
  }

  /**
   * Suspends an account: all its credentials stop working at once, in all processes, and its browser sessions end.
   * @param auditId request id; null for an operator's command.
   * @param detail for the audit record.
   * @throws ApiError `not_found`, or `state_conflict` for an account that is erased.
   */
  async suspend(accountId: string, auditId: string | null = null, detail: AuditEntry['detail'] = {}): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.update(
        AccountEntity,
        { id: accountId, status: Not('erased') },
        { status: 'suspended' },
      );
      if (affected !== 1) {
        await this.find(accountId);
        throw new ApiError('state_conflict', 'The account is erased.');
      }
      const live = { accountId, endedAt: IsNull() };
      await manager.update(BrowserSessionEntity, live, { endedAt: this.clock.wall() });
      await this.audit.record({ event: 'account_suspended', requestId: auditId, accountId, detail });
      await announceCredentialChange(this.transactions, accountId);
    });
  }

  /**
   * Ends a suspension: keys and tokens that are still valid work again, in all processes; sessions stay ended.
   * Parameters as for `suspend`. @throws ApiError `not_found`, or `state_conflict` for an account that is not
   * suspended.
   */
  async resume(accountId: string, auditId: string | null = null, detail: AuditEntry['detail'] = {}): Promise<void> {
    await this.transactions.run(async (manager) => {
      const suspended = { id: accountId, status: 'suspended' as const };
      const { affected } = await manager.update(AccountEntity, suspended, { status: 'active' });
      if (affected !== 1) {
        await this.find(accountId);
        throw new ApiError('state_conflict', 'The account is not suspended.');
      }
      await this.audit.record({ event: 'account_resumed', requestId: auditId, accountId, detail });
      await announceCredentialChange(this.transactions, accountId);
    });
  }
}

/**
 * Inserts the account unless its wallet belongs to another account. Not even an operator can give away a proved wallet.
 */
async function insertUnlessTaken(manager: EntityManager, account: AccountEntity): Promise<void> {
  const { walletAddress } = account;
  if (walletAddress !== null) {
    await lockWallet(manager, walletAddress);
    if ((await walletOwner(manager, walletAddress)) !== null) throw walletTaken();
  }
  try {
    await manager.insert(AccountEntity, account);
  } catch (error) {
    throw isDuplicate(error) ? walletTaken() : error;
  }
}

function walletTaken(): ApiError {
  return new ApiError('state_conflict', 'Another account has this wallet.');
}

function checksummed(address: string): string {
  try {
    return getAddress(address);
  } catch {
    throw new ApiError('invalid_parameter', 'The wallet is not a valid 0x address.');
  }
}

function isDuplicate(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const driverError: Error & { code?: unknown } = error.driverError;
  return driverError.code === '23505';
}
