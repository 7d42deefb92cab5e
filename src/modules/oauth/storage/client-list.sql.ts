/** Who registered an application: the operator, it itself, or nobody (its id is the URL of its document). */
type ClientOrigin = 'operator' | 'self' | 'document';

/** One application in the operator's list. */
export interface ClientSummary {
  clientId: string;
  /** The name that the application gives itself. */
  name: string | null;
  origin: ClientOrigin;
  /** Null for an application with a document, which states the method each time it is read. */
  authMethod: string | null;
  redirectUris: readonly string[];
  isGateway: boolean;
  isFapi2: boolean;
  /** How long its access tokens last; null = the default. */
  accessTokenSeconds: number | null;
  registeredAt: Date | null;
  /** When somebody last gave consent; null = nobody has yet. */
  lastGrantAt: Date | null;
  liveGrants: number;
}

export interface ClientRow {
  client_id: string;
  name: string | null;
  origin: ClientOrigin;
  auth_method: string | null;
  redirect_uris: string[] | null;
  gateway: boolean;
  fapi2: boolean;
  access_token_seconds: number | null;
  registered_at: Date | null;
  last_grant_at: Date | null;
  live_grants: number;
}

/**
 * Every registered application, and every one with a document that a person has given consent to. A removed application
 * has neither a row of its own nor a document, so it is left out. $1 now.
 */
export const CLIENT_LIST = `
  WITH granted AS (
    SELECT client_id, max(client_name) AS name, max(client_host) AS host, max(created_at) AS last_grant_at,
      count(*) FILTER (WHERE revoked_at IS NULL AND expires_at > $1)::int AS live
    FROM oauth_grants GROUP BY client_id
  ), registered AS (
    SELECT payload ->> 'client_id' AS client_id, payload, created_at FROM oauth_records WHERE kind = 'Client'
  )
  SELECT client_id, coalesce(payload ->> 'client_name', granted.name) AS name,
    CASE WHEN payload IS NULL THEN 'document' ELSE coalesce(payload ->> 'registered_by', 'self') END AS origin,
    payload ->> 'token_endpoint_auth_method' AS auth_method,
    payload -> 'redirect_uris' AS redirect_uris,
    coalesce(payload ->> 'gateway', 'false') = 'true' AS gateway,
    coalesce(payload ->> 'security_profile', '') = 'fapi2' AS fapi2,
    access_token_seconds, registered.created_at AS registered_at, last_grant_at, coalesce(live, 0) AS live_grants
  FROM registered FULL JOIN granted USING (client_id) LEFT JOIN oauth_client_settings USING (client_id)
  WHERE payload IS NOT NULL OR host IS NOT NULL
  ORDER BY client_id`;

/** The row under the program's own names. */
export function summaryOf(row: ClientRow): ClientSummary {
  return {
    clientId: row.client_id,
    name: row.name,
    origin: row.origin,
    authMethod: row.auth_method,
    redirectUris: row.redirect_uris ?? [],
    isGateway: row.gateway,
    isFapi2: row.fapi2,
    accessTokenSeconds: row.access_token_seconds,
    registeredAt: row.registered_at,
    lastGrantAt: row.last_grant_at,
    liveGrants: row.live_grants,
  };
}
