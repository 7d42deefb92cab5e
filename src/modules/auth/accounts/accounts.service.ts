import { Injectable } from '@nestjs/common';
import { getAddress } from 'ethers';
import { QueryFailedError } from 'typeorm';
import { newId } from '#libs/kernel';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { announceCredentialChange } from '../credential-changes.js';
import { AccountEntity } from './account.entity.js';

/** What an account is made of. */
export interface NewAccount {
  /** 1 to 120 characters; need not be unique. */
  name: string;
  /** 0x address, any letter case; null or absent = linked later. */
  walletAddress?: string | null;
}

const MAX_NAME = 120;

/** The principals of the marketplace. */
@Injectable()
export class AccountsService {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError `invalid_parameter` or, when the wallet is another account's, `state_conflict`. */
  async create({ name, walletAddress = null }: NewAccount): Promise<AccountEntity> {
    const trimmed = name.trim();
    if (trimmed.length === 0 || trimmed.length > MAX_NAME) {
      throw new ApiError('invalid_parameter', `An account name has 1 to ${MAX_NAME} characters.`);
    }
    const now = this.clock.now();
    const account: AccountEntity = {
      id: newId('acct', now.getTime()),
      name: trimmed,
      walletAddress: walletAddress === null ? null : checksummed(walletAddress),
      status: 'active',
      createdAt: now,
    };
    try {
      await this.transactions.manager.insert(AccountEntity, account);
    } catch (error) {
      if (isDuplicate(error)) throw new ApiError('state_conflict', 'Another account has this wallet.');
      throw error;
    }
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

  /** Stops every credential of the account at once, in all processes. @throws ApiError `not_found`. */
  async suspend(accountId: string): Promise<void> {
    await this.transactions.run(async (manager) => {
      const { affected } = await manager.update(AccountEntity, { id: accountId }, { status: 'suspended' });
      if (affected !== 1) throw new ApiError('not_found', 'There is no such account.');
      await announceCredentialChange(manager, accountId);
    });
  }
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
