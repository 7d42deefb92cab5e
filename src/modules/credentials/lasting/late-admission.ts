import { Injectable } from '@nestjs/common';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { Clock } from '../../../platform/time/clock.js';
import type { AccountStatus } from '../../accounts/account.entity.js';
import { CredentialChallenge } from '../credential-challenge.js';
import { STILL_HOLDS } from './still-holds.sql.js';

interface Held {
  status: AccountStatus;
  lasts: boolean;
}

/** Admits once more a request that took long to arrive, because its credential was looked at before its body came. */
@Injectable()
export class LateAdmission {
  constructor(
    private readonly transactions: Transactions,
    private readonly challenge: CredentialChallenge,
    private readonly clock: Clock,
  ) {}

  /**
   * Must come first in the write, with whose transaction it is one: until that ends, the account is not erased. A
   * credential that has reached the end that it had from the beginning still holds, since otherwise nobody could send a
   * long body with a token of a few minutes.
   * @throws ApiError `account_suspended`; `api_key_revoked` or `invalid_token` for a credential that was ended.
   */
  async require(principal: Principal): Promise<void> {
    const { accountId, credentialId, credentialEnd } = principal;
    const at = Math.min(this.clock.wallMs(), (credentialEnd?.atMs ?? Infinity) - 1);
    const values = [accountId, credentialId, new Date(at)];
    const [held] = await this.transactions.run((manager) => runPrepared<Held>(manager, STILL_HOLDS, values));
    if (held?.status !== 'active') throw new ApiError('account_suspended', 'The account is suspended.');
    if (!held.lasts) throw this.ended(principal);
  }

  private ended({ clientId, provesKey }: Principal): ApiError {
    if (clientId === undefined) {
      const reason = 'The API key was revoked while the body was being sent.';
      return new ApiError('api_key_revoked', reason, undefined, this.challenge.unauthenticated());
    }
    const reason = 'The access was taken back while the body was being sent.';
    const scheme = provesKey === true ? 'DPoP' : 'Bearer';
    return new ApiError('invalid_token', reason, undefined, this.challenge.invalidToken(scheme));
  }
}
