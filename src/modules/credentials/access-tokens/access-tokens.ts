import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Request } from 'express';
import { sha256 } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { runPrepared } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import type { Principal } from '../../../platform/http/principal.js';
import { PrincipalLimitGuard } from '../../../platform/rate-limit/principal-limit.guard.js';
import { Clock } from '../../../platform/time/clock.js';
import { CURRENT_VERSION } from '../../../platform/versioning/api-versions.js';
import { type Challenged, CredentialChallenge } from '../credential-challenge.js';
import { CredentialChanges } from '../../accounts/credential-changes.js';
import { SCOPES } from '../scope.js';
import { RefusedCredentials } from '../refused-credentials.js';
import { CredentialSingleFlight } from '../credential-single-flight.js';
import { type AccessTokenRow, READ_ACCESS_TOKEN } from './access-token.sql.js';
import { DpopProofs } from './dpop-proofs.js';
import { isTokenShaped, type PresentedToken, tokenChangeId, type TokenScheme } from '../presented-token.js';
import { type VerifiedToken, VerifiedTokens } from './verified-tokens.js';

/** The principal of a token, or the reason why it is refused. */
type TokenVerdict =
  | { principal: Principal; refusal: null }
  | {
      principal: null;
      refusal: ApiError;
      /**
       * True when the refusal counts as a failed authentication. An unknown token does; a token that was once valid
       * does not.
       */
      isGuess: boolean;
      /** The grant of the token; null when it is not known. */
      grantId: string | null;
    };

/** The result of looking a token up in the database. */
type Reading = { token: VerifiedToken } | { token: null; isKnown: boolean; isSuspended: boolean };

const NOTHING_KNOWN: Reading = { token: null, isKnown: false, isSuspended: false };
const REASON = 'The access token is not valid.';
const SUGGESTION = 'Refresh it or connect again; an API key is sent in the X-Api-Key header.';

/** Verifies the access tokens of applications (docs/decisions/oauth.md#tokens), bound to a key or not. */
@Injectable()
export class AccessTokens {
  private readonly readings: CredentialSingleFlight<Reading>;
  private readonly over: RefusedCredentials<Reading>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly verified: VerifiedTokens,
    private readonly proofs: DpopProofs,
    private readonly environment: Environment,
    private readonly clock: Clock,
    private readonly challenge: CredentialChallenge,
    private readonly limits: PrincipalLimitGuard,
    changes: CredentialChanges,
  ) {
    this.readings = new CredentialSingleFlight(changes);
    this.over = new RefusedCredentials(changes);
  }

  /** Returns the principal of a bearer token that was verified recently and is still cached; otherwise null. */
  recall({ scheme, token }: PresentedToken): Principal | null {
    const known = scheme === 'Bearer' ? this.verified.recall(token) : null;
    if (known?.thumbprint !== null) return null;
    this.verified.noteUse(known);
    return known.principal;
  }

  /**
   * Verifies a token, and the proof that comes with it when it is bound to a key. Rejects only when the database does.
   * @param called the operation, for the challenge.
   */
  async verify(presented: PresentedToken, request: Request, called?: Challenged): Promise<TokenVerdict> {
    const known = this.verified.recall(presented.token);
    const reading = known === null ? await this.reading(presented.token) : { token: known };
    if (reading.token === null) return this.unusable(presented.scheme, reading, called);
    const { principal, thumbprint } = reading.token;
    // Checked before the proof, because a proof is expensive to check and leaves a row, and a caller over its limit is
    // refused anyway.
    const spent = thumbprint === null ? null : this.limits.refusalWhileSpent(request, principal);
    if (spent) return { principal: null, refusal: spent, isGuess: false, grantId: principal.credentialId };
    const refusal = await this.fault(reading.token, presented, request, called);
    if (refusal) return { principal: null, refusal, isGuess: true, grantId: principal.credentialId };
    this.verified.noteUse(reading.token);
    return { principal, refusal: null };
  }

  private reading(token: string): Promise<Reading> {
    if (!isTokenShaped(token)) return Promise.resolve(NOTHING_KNOWN);
    const over = this.over.recall(token);
    return over === null ? this.readings.read(token, () => this.read(token)) : Promise.resolve(over);
  }

  private async read(token: string): Promise<Reading> {
    const [mark, markOfOver] = [this.verified.mark(), this.over.mark()];
    const idHash = sha256(token);
    const values = [idHash, this.clock.wall(), this.environment.baseUrl];
    const [row] = await runPrepared<AccessTokenRow>(this.dataSource.manager, READ_ACCESS_TOKEN, values);
    if (!row) return NOTHING_KNOWN;
    if (!row.is_live || row.grant_id === null || row.account_status !== 'active') {
      const isSuspended = row.is_live && row.grant_id !== null;
      const reading: Reading = { token: null, isKnown: true, isSuspended };
      this.over.remember(token, reading, markOfOver);
      return reading;
    }
    const verified = verifiedTokenOf(row, row.grant_id, tokenChangeId(idHash));
    this.verified.remember(token, verified, mark);
    return { token: verified };
  }

  private unusable(
    scheme: TokenScheme,
    { isKnown, isSuspended }: { isKnown: boolean; isSuspended: boolean },
    called: Challenged | undefined,
  ): TokenVerdict {
    const refusal = isSuspended
      ? new ApiError('account_suspended', 'The account is suspended.')
      : this.invalidToken(REASON, scheme, called);
    return { principal: null, refusal, isGuess: !isKnown, grantId: null };
  }

  /** Checks how a valid token was sent (scheme and proof). Returns the error, or null. */
  private async fault(
    { thumbprint }: VerifiedToken,
    { scheme, token }: PresentedToken,
    request: Request,
    called: Challenged | undefined,
  ): Promise<ApiError | null> {
    if (thumbprint === null) {
      if (scheme === 'Bearer') return null;
      return this.invalidToken('The access token is not bound to a key; its scheme is Bearer.', scheme, called);
    }
    if (scheme === 'Bearer') {
      return this.invalidToken('The access token is bound to a key; its scheme is DPoP, with a proof.', scheme, called);
    }
    const verdict = await this.proofs.verify(request, { token, thumbprint });
    if (verdict.fault === null) return null;
    if (verdict.fault === 'wrong-key') {
      return this.invalidToken('The proof is of another key than the one that the token is bound to.', scheme, called);
    }
    return new ApiError('invalid_dpop_proof', verdict.reason, undefined, this.challenge.invalidProof(called));
  }

  private invalidToken(reason: string, scheme: TokenScheme, called: Challenged | undefined): ApiError {
    return new ApiError('invalid_token', reason, SUGGESTION, this.challenge.invalidToken(scheme, called));
  }
}

function verifiedTokenOf(row: AccessTokenRow, grantId: string, changeId: string): VerifiedToken {
  const { scope, granted_scopes: granted, funding_cap: cap, spend_policy_id: policyId, thumbprint } = row;
  const asked = new Set(scope?.split(' '));
  return {
    principal: Object.freeze({
      accountId: row.account_id,
      walletAddress: row.wallet_address,
      credentialId: grantId,
      scopes: Object.freeze(SCOPES.filter((each) => asked.has(each) && granted.includes(each))),
      pinnedVersion: CURRENT_VERSION,
      clientId: row.client_id,
      ...(cap === null ? {} : { fundingCap: BigInt(cap) }),
      ...(policyId === null ? {} : { spendPolicyId: policyId }),
      ...(thumbprint === null ? {} : { provesKey: true }),
      credentialEnd: { atMs: row.expires_at.getTime(), changeId },
    }),
    thumbprint,
    expiresAtMs: row.expires_at.getTime(),
    changeId,
    notedAtMs: row.last_used_at?.getTime() ?? 0,
  };
}
