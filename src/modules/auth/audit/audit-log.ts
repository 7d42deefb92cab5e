import { Injectable } from '@nestjs/common';
import { newId } from '#libs/kernel';
import { type PreparedStatement, runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';

const INSERT: PreparedStatement = {
  name: 'audit-event-insert',
  text: `INSERT INTO audit_events (id, occurred_at, request_id, event, account_id, client_id, credential_id, detail)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
};

/** Everything that is recorded; past tense, the subject first. */
export type AuditEventName =
  | 'session_started'
  | 'session_refused'
  | 'session_ended'
  | 'wallet_proved'
  | 'wallet_linked'
  | 'wallet_unlinked'
  | 'signing_wallet_changed'
  | 'api_key_created'
  | 'api_key_rolled'
  | 'api_key_revoked'
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
  | 'signing_key_rotated'
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
  /** Reasons, scopes, names; nothing secret. */
  detail?: Readonly<Record<string, unknown>>;
}

/** The append-only record of credentials, grants and sessions. */
@Injectable()
export class AuditLog {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Writes one entry, in the transaction that surrounds the call if there is one. */
  async record(entry: AuditEntry): Promise<void> {
    const now = this.clock.wall();
    await runPrepared(this.transactions.manager, INSERT, [
      newId('audit', now.getTime()),
      now,
      entry.requestId,
      entry.event,
      entry.accountId ?? null,
      entry.clientId ?? null,
      entry.credentialId ?? null,
      JSON.stringify(entry.detail ?? {}),
    ]);
  }
}
