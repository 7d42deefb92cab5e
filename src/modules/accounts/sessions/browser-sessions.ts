import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type EntityManager, type FindOptionsWhere, IsNull, MoreThan, Not } from 'typeorm';
import { isIdentifier, newId, sha256, stripControls } from '#libs/kernel';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AccountEntity } from '../account.entity.js';
import { type AuditEntry, AuditLog } from '../audit/audit-log.js';
import { newBrowserSecret } from './browser-cookies.js';
import { DELETE_OLDEST_SESSIONS } from './browser-sessions.sql.js';
import { BrowserSessionEntity } from '../browser-session.entity.js';

/** Who signed in, and where. */
interface NewBrowserSession {
  accountId: string;
  /** The wallet that signed in, EIP-55. */
  walletAddress: string;
  /** The request's `User-Agent`. */
  userAgent: string | undefined;
  /** `X-Request-Id`, for the audit record. */
  requestId: string | null;
}

/** A new session and its token. Only the token's hash is stored. */
interface StartedSession {
  token: string;
  session: BrowserSessionEntity;
}

const LIFE_MS = 8 * 3_600_000;
const SEEN_EVERY_MS = 60_000;
const MAX_USER_AGENT = 200;

/**
 * Sessions of browsers in which people are signed in. A session lives at most eight hours; ending it takes effect at
 * once.
 */
@Injectable()
export class BrowserSessions {
  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** Starts a session. @throws ApiError `account_suspended`. */
  start({ accountId, walletAddress, userAgent = '', requestId }: NewBrowserSession): Promise<StartedSession> {
    return this.transactions.run(async (manager) => {
      await assertActive(manager, accountId);
      const now = this.clock.wall();
      const token = newBrowserSecret();
      const session: BrowserSessionEntity = {
        id: newId('sess', now.getTime()),
        tokenHash: sha256(token),
        accountId,
        walletAddress,
        userAgent: stripControls(userAgent).slice(0, MAX_USER_AGENT),
        createdAt: now,
        lastSeenAt: now,
        expiresAt: new Date(now.getTime() + LIFE_MS),
        endedAt: null,
      };
      await manager.insert(BrowserSessionEntity, session);
      await manager.query(DELETE_OLDEST_SESSIONS, [accountId]);
      const detail = { wallet: walletAddress };
      await this.audit.record({ event: 'session_started', requestId, accountId, credentialId: session.id, detail });
      return { token, session };
    });
  }

  /**
   * Returns the live session of a token; null when there is none or its account is not active. Updates `lastSeenAt`.
   * @param token value of the session cookie.
   */
  async find(token: string | null): Promise<BrowserSessionEntity | null> {
    if (token === null) return null;
    const { manager } = this.transactions;
    const tokenHash = sha256(token);
    const session = await manager
      .createQueryBuilder(BrowserSessionEntity, 'session')
      .innerJoin(AccountEntity, 'account', "account.id = session.accountId AND account.status = 'active'")
      .where({ ...this.live(), tokenHash })
      .getOne();
    if (session === null || !timingSafeEqual(session.tokenHash, tokenHash)) return null;
    const now = this.clock.wall();
    if (now.getTime() - session.lastSeenAt.getTime() >= SEEN_EVERY_MS) {
      await manager.update(BrowserSessionEntity, { id: session.id }, { lastSeenAt: now });
      session.lastSeenAt = now;
    }
    return session;
  }

  /** The account's live sessions, the newest first. */
  list(accountId: string): Promise<BrowserSessionEntity[]> {
    const where = { accountId, ...this.live() };
    return this.transactions.manager.find(BrowserSessionEntity, { where, order: { id: 'DESC' } });
  }

  /** Ends one of the account's sessions; ending it again is no error. @throws ApiError `not_found`. */
  async end(accountId: string, sessionId: string, requestId: string | null): Promise<void> {
    const own = { id: sessionId, accountId };
    if (isIdentifier(sessionId)) {
      if ((await this.endAll(own, requestId)) > 0) return;
      if (await this.transactions.manager.existsBy(BrowserSessionEntity, own)) return;
    }
    throw new ApiError('not_found', 'There is no such session.');
  }

  /** Ends all sessions of the account but one. Resolves to the number of sessions ended. */
  endOthers(accountId: string, keepSessionId: string, requestId: string | null): Promise<number> {
    return this.endAll({ accountId, id: Not(keepSessionId) }, requestId);
  }

  /**
   * Ends the account's sessions that this wallet has signed in, because the wallet is removed as its account has asked
   * before. Resolves to their number. @param walletAddress EIP-55.
   */
  endWithWallet(accountId: string, walletAddress: string): Promise<number> {
    return this.endAll({ accountId, walletAddress }, null, { by: 'removal' });
  }

  private endAll(
    which: FindOptionsWhere<BrowserSessionEntity>,
    requestId: string | null,
    detail: AuditEntry['detail'] = {},
  ): Promise<number> {
    return this.transactions.run(async (manager) => {
      const where = { ...which, ...this.live() };
      const sessions = await manager.find(BrowserSessionEntity, { where, lock: { mode: 'pessimistic_write' } });
      for (const { id, accountId } of sessions) {
        await manager.update(BrowserSessionEntity, { id }, { endedAt: this.clock.wall() });
        await this.audit.record({ event: 'session_ended', requestId, accountId, credentialId: id, detail });
      }
      return sessions.length;
    });
  }

  private live() {
    return { endedAt: IsNull(), expiresAt: MoreThan(this.clock.wall()) };
  }
}

/** Locks the account's row, so that a suspension at the same moment sees the new session and ends it. */
async function assertActive(manager: EntityManager, id: string): Promise<void> {
  const account = await manager.findOne(AccountEntity, { where: { id }, lock: { mode: 'pessimistic_read' } });
  if (account?.status !== 'active') throw new ApiError('account_suspended', 'The account is suspended.');
}
