import type { AccountEntity } from '../modules/accounts/account.entity.js';
import type { AccountsService } from '../modules/accounts/accounts.service.js';
import { ApiError } from '../platform/http/api-error.js';

/** Finds the account that the person at the terminal means, by id or by name. */
export class AccountLookup {
  constructor(private readonly accounts: AccountsService) {}

  /** Null when no account has this name. @throws ApiError `not_found` (id) or `state_conflict` (several of this name). */
  async find(nameOrId: string): Promise<AccountEntity | null> {
    if (nameOrId.startsWith('acct_')) return this.accounts.find(nameOrId);
    const [first, ...others] = await this.accounts.findByName(nameOrId);
    if (!first || others.length === 0) return first ?? null;
    const ids = [first, ...others].map(({ id }) => id).join(', ');
    throw new ApiError('state_conflict', `Several accounts are named "${nameOrId}".`, `Give one of their ids: ${ids}`);
  }

  /** The names of accounts by their ids. */
  async names(accountIds: readonly string[]): Promise<Map<string, string>> {
    return this.accounts.namesOf([...new Set(accountIds)]);
  }

  /** @throws ApiError as `find`, and `not_found` when no account has this name. */
  async known(nameOrId: string): Promise<AccountEntity> {
    const found = await this.find(nameOrId);
    if (!found) throw new ApiError('not_found', `There is no account "${nameOrId}".`);
    return found;
  }
}
