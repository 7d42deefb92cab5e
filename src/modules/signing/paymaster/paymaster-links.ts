import { Injectable } from '@nestjs/common';
import { holdsOnceSigned } from '#libs/prepared-action';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';

/** An action's id, and the keyed hash of it that nobody else can make. */
const TOKEN_PATTERN = /^(act_[0-9A-Za-z]{1,64})\.([A-Za-z0-9_-]{43})$/;

/**
 * Addresses at which wallets reach the operator's paymaster, one for each action. A wallet hands the address to servers of
 * its own, so it opens nothing else: who has it neither sees the approval page nor declines.
 */
@Injectable()
export class PaymasterLinks {
  constructor(
    private readonly environment: Environment,
    private readonly sealer: Sealer,
    private readonly transactions: Transactions,
  ) {}

  /** The address of an action; null where nobody pays: no paymaster is configured, or nothing is ever sent. */
  urlOf({ id, kind }: Pick<PreparedActionEntity, 'id' | 'kind'>): string | null {
    const { baseUrl, paymasterUrl } = this.environment;
    if (paymasterUrl === null || holdsOnceSigned(kind)) return null;
    return `${baseUrl}/paymaster/${id}.${this.sealer.hmac('paymaster-link', id).toString('base64url')}`;
  }

  /** The action of an address, whatever has become of it. @throws ApiError `not_found`, alike for all that have none. */
  async find(token: string): Promise<PreparedActionEntity> {
    const [, id = '', hash = ''] = TOKEN_PATTERN.exec(token) ?? [];
    const isOurs = this.sealer.match('paymaster-link', id, Buffer.from(hash, 'base64url')) !== null;
    const action = isOurs ? await this.transactions.manager.findOneBy(PreparedActionEntity, { id }) : null;
    if (action === null || this.urlOf(action) === null) throw noPaymaster();
    return action;
  }
}

/** One answer for an address that never was one, and for an action that is over. */
export function noPaymaster(): ApiError {
  return new ApiError('not_found', 'No network fee is paid at this address.');
}
