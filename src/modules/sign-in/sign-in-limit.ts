import { Injectable } from '@nestjs/common';
import { Environment } from '../../platform/config/environment.js';
import { clientNetwork } from '../../platform/rate-limit/client-network.js';
import type { FairShares } from '../../platform/rate-limit/counters/fair-shares.js';
import type { LeasedWindows } from '../../platform/rate-limit/counters/leased-windows.js';
import { rateLimited } from '../../platform/rate-limit/limit-headers.js';
import { RateLimitStore } from '../../platform/rate-limit/rate-limit.store.js';
import { Clock } from '../../platform/time/clock.js';
import { AuditLog } from '../accounts/audit/audit-log.js';
import type { ChallengePurpose } from './wallet-challenge.entity.js';

const WINDOW_MS = 60_000;
/** Most signatures that are checked for one message; each may cost a call to the chain. */
const MAX_SIGNATURES = 10;
const MESSAGE_LIFE_MS = 5 * 60_000;

/**
 * Limits the messages per client network and minute, in fair shares (RATE_LIMIT_SIGN_IN per network,
 * RATE_LIMIT_SIGN_IN_TOTAL for all), and the signatures per message.
 */
@Injectable()
export class SignInLimit {
  private readonly messages: FairShares;
  private readonly signatures: LeasedWindows;

  constructor(
    store: RateLimitStore,
    environment: Environment,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {
    const { rateLimitSignIn: share, rateLimitSignInTotal: total } = environment;
    this.messages = store.shares('sign-in', { share, total, windowMs: WINDOW_MS });
    this.signatures = store.bucket('sign-in-signature', MAX_SIGNATURES, MESSAGE_LIFE_MS);
  }

  /** Counts one signature for a message. Resolves to false when there were too many. */
  async admits(challengeId: string): Promise<boolean> {
    return (await this.signatures.take(challengeId)).allowed;
  }

  /** Counts one requested message. @throws ApiError `rate_limited`. */
  async take(
    clientAddress: string | undefined,
    { purpose, auditId }: { purpose: ChallengePurpose; auditId: string | null },
  ): Promise<void> {
    const network = clientNetwork(clientAddress);
    const grant = await this.messages.take(network);
    if (grant.allowed) return;
    const detail = { purpose, reason: 'rate_limited' };
    await this.audit.record({ event: 'session_refused', requestId: auditId, network, detail });
    throw rateLimited(
      'Too many sign-in messages were asked for from your network.',
      grant.endsAtMs,
      this.clock.nowMs(),
    );
  }
}
