import { formatUsdc } from '#libs/kernel';
import type { AuditEventEntity } from '../../modules/accounts/audit/audit-event.entity.js';
import type { ClientSummary } from '../../modules/oauth/storage/client-list.sql.js';
import type { OAuthGrantEntity } from '../../modules/oauth/storage/oauth-grant.entity.js';
import { terminalLine } from '../terminal-line.js';

const ORIGINS = { operator: 'registered here', self: 'self-registered', document: 'by its document' } as const;

/** One application, for people. Its name and, with a document, its id are its own words: nothing in them may steer the terminal. */
export function clientLine(client: ClientSummary): string {
  const { clientId, origin, authMethod, liveGrants, lastGrantAt, name } = client;
  const { accessTokenSeconds: seconds } = client;
  const kinds = [
    ...(client.isGateway ? ['gateway'] : []),
    ...(client.isFapi2 ? ['fapi2'] : []),
    ...(seconds === null ? [] : [`tokens of ${seconds} s`]),
  ];
  const last = lastGrantAt === null ? 'never granted' : `last grant ${lastGrantAt.toISOString()}`;
  const columns = [clientId, ORIGINS[origin], authMethod ?? '-', ...kinds, `${liveGrants} live`, last, name ?? '-'];
  return terminalLine(columns);
}

/** One application, for programs. */
export function clientJson(client: ClientSummary) {
  return {
    client_id: client.clientId,
    name: client.name,
    origin: client.origin,
    token_endpoint_auth_method: client.authMethod,
    redirect_uris: client.redirectUris,
    gateway: client.isGateway,
    fapi2: client.isFapi2,
    access_token_seconds: client.accessTokenSeconds,
    registered_at: client.registeredAt,
    last_grant_at: client.lastGrantAt,
    live_grants: client.liveGrants,
  };
}

/** One grant, for people. */
export function grantLine(grant: OAuthGrantEntity, now: Date): string {
  const { id, accountId, clientId, scopes, fundingCap, createdAt, clientName } = grant;
  const cap = fundingCap === null ? 'no cap' : `at most ${formatUsdc(fundingCap)} USDC`;
  const columns = [id, accountId, clientId, scopes.join(' '), cap, grantState(grant, now)];
  return terminalLine([...columns, `since ${createdAt.toISOString()}`, clientName]);
}

/** One grant, for programs. */
export function grantJson(grant: OAuthGrantEntity, now: Date) {
  return {
    grant_id: grant.id,
    account_id: grant.accountId,
    client_id: grant.clientId,
    client_name: grant.clientName,
    client_host: grant.clientHost,
    scopes: grant.scopes,
    funding_cap: grant.fundingCap === null ? null : formatUsdc(grant.fundingCap),
    state: grantState(grant, now),
    created_at: grant.createdAt,
    expires_at: grant.expiresAt,
    last_used_at: grant.lastUsedAt,
    revoked_at: grant.revokedAt,
  };
}

/** One event of the audit, for people. */
export function eventLine({ occurredAt, event, accountId, clientId, credentialId, detail }: AuditEventEntity): string {
  const columns = [occurredAt.toISOString(), event.padEnd(28), accountId ?? '-', clientId ?? '-', credentialId ?? '-'];
  return terminalLine([...columns, JSON.stringify(detail)]);
}

/** One event of the audit, for programs. */
export function eventJson(event: AuditEventEntity) {
  return {
    event_id: event.id,
    occurred_at: event.occurredAt,
    request_id: event.requestId,
    event: event.event,
    account_id: event.accountId,
    client_id: event.clientId,
    credential_id: event.credentialId,
    detail: event.detail,
  };
}

function grantState({ revokedAt, expiresAt }: OAuthGrantEntity, now: Date): 'live' | 'revoked' | 'expired' {
  if (revokedAt) return 'revoked';
  return expiresAt <= now ? 'expired' : 'live';
}
