import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256 } from '#libs/kernel';
import { Environment } from '../../platform/config/environment.js';
import { Transactions } from '../../platform/database/transactions.js';
import { ApiError } from '../../platform/http/api-error.js';
import { Sealer } from '../../platform/secrets/sealer.js';
import { Clock } from '../../platform/time/clock.js';
import { PreparedActionEntity } from './prepared-action.entity.js';

const TOKEN_BYTES = 32;
const TOKEN_PATTERN = /^[A-Za-z0-9_-]{43}$/;

export interface SigningLink {
  url: string;
  /** What is stored of the token: a hash to find the action by, and a copy that only APP_SECRET opens. */
  tokenHash: Buffer;
  tokenSealed: Buffer;
}

/** Links to the signing page: a token of 256 random bits that names one action and lives as long as it does. */
@Injectable()
export class SigningLinks {
  constructor(
    private readonly environment: Environment,
    private readonly sealer: Sealer,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** A new link for an action, and what is to be stored of it. */
  issue(actionId: string): SigningLink {
    const token = randomBytes(TOKEN_BYTES);
    return {
      url: this.urlOf(token),
      tokenHash: hashOf(token),
      tokenSealed: this.sealer.seal('signing-link', token, actionId),
    };
  }

  /** The link of a stored action, as it was issued. Throws when APP_SECRET is not the one it was sealed under. */
  reopen(action: PreparedActionEntity): string {
    const token = this.sealer.open('signing-link', action.signingTokenSealed, action.id);
    if (!token) throw new Error('a signing link does not open under this APP_SECRET');
    return this.urlOf(token);
  }

  /**
   * The action that a token names.
   * @throws ApiError `not_found`: one body for everything that is no token of ours, and for a token of ours whose
   * action has expired a reason that says so (only its holder can learn that).
   */
  async find(token: string): Promise<PreparedActionEntity> {
    const action = TOKEN_PATTERN.test(token) ? await this.byHash(hashOf(Buffer.from(token, 'base64url'))) : null;
    if (!action) throw new ApiError('not_found', 'This link is not valid.', 'Ask whoever sent it for a new one.');
    if (this.clock.nowMs() > action.expiresAt.getTime()) {
      const at = action.expiresAt.toISOString();
      throw new ApiError('not_found', `This link expired at ${at}.`, 'Prepare the action again for a new link.');
    }
    return action;
  }

  private byHash(signingTokenHash: Buffer): Promise<PreparedActionEntity | null> {
    return this.transactions.manager.findOneBy(PreparedActionEntity, { signingTokenHash });
  }

  private urlOf(token: Buffer): string {
    return `${this.environment.baseUrl}/sign/${token.toString('base64url')}`;
  }
}

function hashOf(token: Buffer): Buffer {
  return sha256(token);
}
