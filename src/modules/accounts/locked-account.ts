import type { EntityManager } from 'typeorm';
import { ApiError } from '../../platform/http/api-error.js';
import { AccountEntity } from './account.entity.js';

/** Reads an account and locks its row until the transaction ends. @throws ApiError `not_found`. */
export async function lockAccount(manager: EntityManager, id: string): Promise<AccountEntity> {
  const account = await manager.findOne(AccountEntity, { where: { id }, lock: { mode: 'pessimistic_write' } });
  if (!account) throw new ApiError('not_found', 'There is no such account.');
  return account;
}
