import { Injectable } from '@nestjs/common';
import { firstIdAt, newId } from '#libs/kernel';
import { Environment } from '../../../platform/config/environment.js';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { COUNT, INSERT } from './audit.sql.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** All recorded events, each named by its subject and a verb in the past tense. */
export type AuditEventName =
  | 'session_started'
  | 'session_refused'
  | 'session_ended'
  | 'wallet_proved'
  | 'wallet_linked'
  | 'wallet_unlink_requested'
  | 'wallet_unlink_undone'
  | 'wallet_unlinked'
  | 'signing_wallet_changed'
  | 'api_key_created'
  | 'api_key_rolled'
  | 'api_key_revoked'
  | 'spend_limits_lowered'
  | 'webhook_endpoint_created'
  | 'webhook_endpoint_changed'
  | 'webhook_endpoint_disabled'
  | 'webhook_endpoint_enabled'
  | 'webhook_endpoint_deleted'
  | 'webhook_secret_replaced'
  | 'client_registered'
  | 'client_registration_refused'
  | 'client_changed'
  | 'client_removed'
  | 'authorization_requested'
  | 'authorization_refused'
  | 'consent_given'
  | 'consent_refused'
  | 'grant_revoked'
  | 'token_issued'
  | 'token_refused'
  | 'token_revoked'
  | 'token_reuse_detected'
  | 'token_inspected'
  | 'action_opened'
  | 'action_declined'
  | 'action_renewed'
  | 'account_suspended'
  | 'account_resumed'
  | 'account_exported'
  | 'account_erased'
  | 'agent_suspended'
  | 'agent_resumed'
  | 'task_hidden'
  | 'task_shown'
  | 'audit_exported'
  | 'audit_archived'
  | 'signing_key_rotated'
  | 'webhook_key_rotated'
  | 'secrets_rotated'
  | 'buyer_verified'
  | 'buyer_unverified';

export interface AuditEntry {
  event: AuditEventName;
  /** `X-Request-Id`; null for an operator's command. */
  requestId: string | null;
  accountId?: string | null;
  clientId?: string | null;
  /** Id of a key, grant, session, challenge or action. Never a token, code, secret or signature. */
  credentialId?: string | null;
  /** For events without an account: the client's network, never the full address. */
  network?: string;
  /** Reasons, scopes, names; nothing secret. */
  detail?: Readonly<Record<string, unknown>>;
}

/**
 * The append-only record of credentials, grants and sessions. Events without an account are counted per network and
 * hour, and only the first of them get rows. The same holds for events of one account beyond its daily number of rows.
 * So nobody can fill the table, and the counts still tell how often something happened.
 */
@Injectable()
export class AuditLog {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
    /** An operator's tool may leave this out, because an operator's events are never counted. */
    private readonly environment: Environment = new Environment(),
  ) {}

  /** Writes one entry, in the caller's transaction if there is one. */
  async record(entry: AuditEntry): Promise<void> {
    const now = this.clock.wall();
    const { accountId = null, requestId, network = 'unknown' } = entry;
    const isAnonymous = accountId === null && requestId !== null;
    if (isAnonymous && (await this.count(entry, network, now)) > this.environment.auditAnonymousRows) return;
    const inserted = await runPrepared(this.transactions.manager, INSERT, [
      newId('audit', now.getTime()),
      now,
      entry.requestId,
      entry.event,
      entry.accountId ?? null,
      entry.clientId ?? null,
      entry.credentialId ?? null,
      JSON.stringify(entry.detail ?? {}),
      firstIdAt('audit', now.getTime() - DAY_MS + 1),
    ]);
    if (inserted.length === 0 && accountId !== null) await this.count(entry, accountId, now);
  }

  /** Counts one entry and returns the number of its kind from this source in this hour. */
  private async count({ event, requestId, detail }: AuditEntry, source: string, now: Date): Promise<number> {
    const hour = new Date(now.getTime() - (now.getTime() % HOUR_MS));
    const text = JSON.stringify(detail ?? {});
    const values = [hour, event, source, now, requestId, text];
    const [row] = await runPrepared<{ count: string }>(this.transactions.manager, COUNT, values);
    return Number(row?.count);
  }
}
