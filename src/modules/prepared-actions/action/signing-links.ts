import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { sha256 } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { Sealer } from '../../../platform/secrets/sealer.js';
import type { PreparedActionEntity } from './prepared-action.entity.js';

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
  reopen(action: Pick<PreparedActionEntity, 'id' | 'signingTokenSealed'>): string {
    const token = this.sealer.open('signing-link', action.signingTokenSealed, action.id);
    if (!token) throw new Error('a signing link does not open under this APP_SECRET');
    return this.urlOf(token);
  }

  /** The hash by which a token is stored; null for a text that cannot be a token. */
  hashOf(token: string): Buffer | null {
    return TOKEN_PATTERN.test(token) ? hashOf(Buffer.from(token, 'base64url')) : null;
  }

  private urlOf(token: Buffer): string {
    return `${this.environment.baseUrl}/sign/${token.toString('base64url')}`;
  }
}

function hashOf(token: Buffer): Buffer {
  return sha256(token);
}
