interface ErrorCodeEntry {
  status: number;
  meaning: string;
  /** Seconds for `Retry-After` where waiting helps. */
  retryAfter?: number;
}

/**
 * Every error code of the interface with its status (docs/decisions/interface.md#errors). Codes are stable: add, never
 * rename.
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, meaning: 'The request is malformed.' },
  invalid_parameter: { status: 400, meaning: 'A path or query parameter is outside its range.' },
  unknown_parameter: { status: 400, meaning: 'A query parameter is not known, or is given more than once.' },
  invalid_cursor: {
    status: 400,
    meaning: 'The cursor is not valid for this caller, operation and filters, or has expired.',
  },
  idempotency_key_missing: { status: 400, meaning: 'The Idempotency-Key header is required.' },
  idempotency_key_invalid: {
    status: 400,
    meaning: 'The Idempotency-Key header is not one value of 1 to 255 characters.',
  },
  invalid_body: { status: 400, meaning: 'The body is not valid JSON or not of the declared shape.' },
  invalid_version: { status: 400, meaning: 'The Service-Version header is not a date.' },
  unsupported_version: {
    status: 400,
    meaning: 'The Service-Version is before the first published version, or after the newest.',
  },
  ambiguous_credentials: { status: 400, meaning: 'More than one credential was sent.' },
  unauthenticated: { status: 401, meaning: 'No credential was sent.' },
  invalid_api_key: { status: 401, meaning: 'The API key is not valid.' },
  api_key_expired: { status: 401, meaning: 'The API key has expired.' },
  api_key_revoked: { status: 401, meaning: 'The API key was revoked.' },
  invalid_token: { status: 401, meaning: 'The access token is not valid.' },
  invalid_dpop_proof: { status: 401, meaning: 'The proof of the key that the access token is bound to is not valid.' },
  insufficient_scope: { status: 403, meaning: 'The credential does not have the scope that the operation needs.' },
  origin_not_allowed: { status: 403, meaning: 'The Host or Origin of the request may not call the MCP endpoint.' },
  claim_required: { status: 403, meaning: 'The action is not open in this browser.' },
  account_suspended: { status: 403, meaning: 'The account is suspended.' },
  funding_cap_exceeded: { status: 403, meaning: 'The amount is above what the application may prepare at a time.' },
  // Not a 409: an answer with 409 is stored for its idempotency key, but this refusal ends as soon as there is room.
  spend_limit_exceeded: {
    status: 403,
    meaning: 'The payment is above what is left of what the credential may have prepared.',
  },
  counterparty_not_allowed: { status: 403, meaning: 'The credential may not prepare payments to this wallet.' },
  quota_exceeded: { status: 403, meaning: 'The account has as much of this as one account may have for nothing.' },
  not_node_worker: { status: 403, meaning: 'Only the worker of the node may do this.' },
  not_task_buyer: { status: 403, meaning: 'Only the buyer of the task may do this.' },
  not_node_hirer: { status: 403, meaning: 'Only the hirer of the node may do this.' },
  preview_not_permitted: { status: 403, meaning: 'The caller may see the task but not its preview.' },
  not_found: { status: 404, meaning: 'There is no such resource for this caller.' },
  unknown_route: { status: 404, meaning: 'There is no such path.' },
  method_not_allowed: { status: 405, meaning: 'The path exists but not with this method.' },
  idempotency_key_conflict: { status: 409, meaning: 'The idempotency key was used with another request.' },
  idempotency_in_progress: { status: 409, meaning: 'A request with this key is still running.', retryAfter: 1 },
  node_not_funded: { status: 409, meaning: 'The node is not in state funded.' },
  state_conflict: { status: 409, meaning: 'The state of the resource does not allow this now.' },
  window_closed: { status: 409, meaning: 'The time for this has passed.' },
  window_not_open: { status: 409, meaning: 'The time for this has not come.' },
  insufficient_unallocated: {
    status: 409,
    meaning: "What is left of the node's floor is less than the price.",
  },
  nesting_violation: { status: 409, meaning: 'The node would not fit into its parent.' },
  quote_expired: { status: 409, meaning: 'The quote no longer stands.' },
  terms_mismatch: { status: 409, meaning: 'The terms hash is not that of the frozen terms.' },
  wallet_mismatch: { status: 409, meaning: 'The account has no wallet that could sign this.' },
  payload_too_large: {
    status: 413,
    meaning: 'The body is larger than the operation takes: 64 KiB, or the largest artifact.',
  },
  uri_too_long: { status: 414, meaning: 'The request target is too long.' },
  unsupported_media_type: { status: 415, meaning: 'The body is not application/json, or is compressed.' },
  rate_limited: { status: 429, meaning: 'The rate limit is exceeded.' },
  headers_too_large: { status: 431, meaning: 'The request headers are too large.' },
  internal_error: { status: 500, meaning: 'The service failed; nothing was changed.' },
  service_unavailable: {
    status: 503,
    meaning: 'A dependency is unreachable or the service is stopping.',
    retryAfter: 2,
  },
} as const satisfies Record<string, ErrorCodeEntry>;

export type ErrorCode = keyof typeof ERROR_CODES;
