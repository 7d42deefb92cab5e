import type { Environment } from './environment.js';

type Kind = 'text' | 'integer' | 'flag' | 'list' | 'secrets';

/** One environment variable: the member of `Environment` it fills and how its text is read. */
export interface Variable {
  name: string;
  member: Exclude<Extract<keyof Environment, string>, 'toJSON'>;
  kind: Kind;
  /** May be given as `<NAME>_FILE`, the path of a file that holds it. */
  file?: true;
}

/** Every variable that the service reads; `.env.example` lists the same (test/architecture/env.spec.ts). */
export const VARIABLES: readonly Variable[] = [
  { name: 'DATABASE_URL', member: 'databaseUrl', kind: 'text', file: true },
  { name: 'DATABASE_POOL_SIZE', member: 'databasePoolSize', kind: 'integer' },
  { name: 'RPC_URL', member: 'rpcUrl', kind: 'text', file: true },
  { name: 'REDIS_URL', member: 'redisUrl', kind: 'text', file: true },
  { name: 'BASE_URL', member: 'baseUrl', kind: 'text' },
  { name: 'HOST', member: 'host', kind: 'text' },
  { name: 'PORT', member: 'port', kind: 'integer' },
  { name: 'MANAGEMENT_HOST', member: 'managementHost', kind: 'text' },
  { name: 'MANAGEMENT_PORT', member: 'managementPort', kind: 'integer' },
  { name: 'APP_SECRET', member: 'appSecret', kind: 'text', file: true },
  { name: 'APP_SECRET_PREVIOUS', member: 'appSecretPrevious', kind: 'secrets', file: true },
  { name: 'CHAIN_ID', member: 'chainId', kind: 'integer' },
  { name: 'ESCROW_FACTORY_ADDRESS', member: 'escrowFactoryAddress', kind: 'text' },
  { name: 'USDC_CODE_HASH', member: 'usdcCodeHash', kind: 'text' },
  { name: 'ERC8004_REGISTRIES', member: 'erc8004Registries', kind: 'list' },
  { name: 'CHAIN_START_BLOCK', member: 'chainStartBlock', kind: 'integer' },
  { name: 'CHAIN_CONFIRMATIONS', member: 'chainConfirmations', kind: 'integer' },
  { name: 'CHAIN_POLL_MS', member: 'chainPollMs', kind: 'integer' },
  { name: 'INDEXER_ENABLED', member: 'indexerEnabled', kind: 'flag' },
  { name: 'TRUST_INTERVAL', member: 'trustIntervalSeconds', kind: 'integer' },
  { name: 'MATCHING_INDEX', member: 'matchingIndex', kind: 'text' },
  { name: 'KEY_ENVIRONMENT', member: 'keyEnvironment', kind: 'text' },
  { name: 'RATE_LIMIT_PRINCIPAL', member: 'rateLimitPrincipal', kind: 'integer' },
  { name: 'RATE_LIMIT_PREPARE', member: 'rateLimitPrepare', kind: 'integer' },
  { name: 'RATE_LIMIT_ACCOUNT', member: 'rateLimitAccount', kind: 'integer' },
  { name: 'RATE_LIMIT_ACCOUNT_PREPARE', member: 'rateLimitAccountPrepare', kind: 'integer' },
  { name: 'RATE_LIMIT_IP', member: 'rateLimitIp', kind: 'integer' },
  { name: 'MAX_CONNECTIONS_PER_ADDRESS', member: 'maxConnectionsPerAddress', kind: 'integer' },
  { name: 'RATE_LIMIT_AUTH_FAILURES', member: 'rateLimitAuthFailures', kind: 'integer' },
  { name: 'TRUSTED_PROXIES', member: 'trustedProxies', kind: 'list' },
  { name: 'CORS_ORIGINS', member: 'corsOrigins', kind: 'list' },
  { name: 'COMPRESS_ANSWERS', member: 'compressAnswers', kind: 'flag' },
  { name: 'LOG_LEVEL', member: 'logLevel', kind: 'text' },
  { name: 'DRAIN_SECONDS', member: 'drainSeconds', kind: 'integer' },
  { name: 'MIGRATE_ON_START', member: 'migrateOnStart', kind: 'flag' },
  { name: 'IDEMPOTENCY_RETENTION_SECONDS', member: 'idempotencyRetentionSeconds', kind: 'integer' },
  { name: 'ACTION_TTL_SECONDS', member: 'actionTtlSeconds', kind: 'integer' },
  { name: 'WITHDRAW_TO_SIGNER_ONLY', member: 'withdrawToSignerOnly', kind: 'flag' },
  { name: 'ARTIFACT_MAX_BYTES', member: 'artifactMaxBytes', kind: 'integer' },
  { name: 'QUOTA_CUSTODY_BYTES', member: 'quotaCustodyBytes', kind: 'integer' },
  { name: 'QUOTA_CUSTODY_ITEMS', member: 'quotaCustodyItems', kind: 'integer' },
  { name: 'QUOTA_CUSTODY_SECONDS', member: 'quotaCustodySeconds', kind: 'integer' },
  { name: 'QUOTA_ANSWER_BYTES', member: 'quotaAnswerBytes', kind: 'integer' },
  { name: 'QUOTA_TASKS', member: 'quotaTasks', kind: 'integer' },
  { name: 'QUOTA_ACTIONS', member: 'quotaActions', kind: 'integer' },
  { name: 'QUOTA_AGENTS', member: 'quotaAgents', kind: 'integer' },
  { name: 'AUDIT_ANONYMOUS_ROWS', member: 'auditAnonymousRows', kind: 'integer' },
  { name: 'AUDIT_RETENTION_DAYS', member: 'auditRetentionDays', kind: 'integer' },
  { name: 'ARTIFACT_DIR', member: 'artifactDir', kind: 'text' },
  { name: 'ARTIFACT_S3_BUCKET', member: 'artifactS3Bucket', kind: 'text' },
  { name: 'ARTIFACT_S3_ENDPOINT', member: 'artifactS3Endpoint', kind: 'text' },
  { name: 'ARTIFACT_S3_REGION', member: 'artifactS3Region', kind: 'text' },
  { name: 'ARTIFACT_S3_ACCESS_KEY_ID', member: 'artifactS3AccessKeyId', kind: 'text', file: true },
  { name: 'ARTIFACT_S3_SECRET_ACCESS_KEY', member: 'artifactS3SecretAccessKey', kind: 'text', file: true },
  { name: 'MCP_TOOLS', member: 'mcpTools', kind: 'text' },
  { name: 'MCP_HOSTS', member: 'mcpHosts', kind: 'list' },
  { name: 'OAUTH_REFRESH_LEEWAY', member: 'oauthRefreshLeewaySeconds', kind: 'integer' },
  { name: 'OAUTH_DYNAMIC_REGISTRATION', member: 'oauthDynamicRegistration', kind: 'flag' },
  { name: 'OAUTH_CLIENT_DOCUMENTS', member: 'oauthClientDocuments', kind: 'flag' },
  { name: 'OAUTH_REDIRECT_HOSTS', member: 'oauthRedirectHosts', kind: 'list' },
  { name: 'OAUTH_KNOWN_CLIENT_HOSTS', member: 'oauthKnownClientHosts', kind: 'list' },
  { name: 'OAUTH_PRIVATE_NETWORKS', member: 'oauthPrivateNetworks', kind: 'list' },
  { name: 'EVENTS_NATS_URL', member: 'eventsNatsUrl', kind: 'text', file: true },
  { name: 'EVENTS_NATS_CREDENTIALS', member: 'eventsNatsCredentials', kind: 'text', file: true },
  { name: 'EVENTS_NATS_TOKEN', member: 'eventsNatsToken', kind: 'text', file: true },
  { name: 'WEBHOOK_PRIVATE_NETWORKS', member: 'webhookPrivateNetworks', kind: 'list' },
  { name: 'OAUTH_ACCESS_TOKEN_SECONDS', member: 'oauthAccessTokenSeconds', kind: 'integer' },
  { name: 'RATE_LIMIT_BODY_BYTES', member: 'rateLimitBodyBytes', kind: 'integer' },
  { name: 'RATE_LIMIT_AGENT_WORDS', member: 'rateLimitAgentWords', kind: 'integer' },
  { name: 'RATE_LIMIT_TOKEN', member: 'rateLimitToken', kind: 'integer' },
  { name: 'RATE_LIMIT_TOKEN_CLIENT', member: 'rateLimitTokenClient', kind: 'integer' },
  { name: 'RATE_LIMIT_REGISTRATION', member: 'rateLimitRegistration', kind: 'integer' },
  { name: 'RATE_LIMIT_REGISTRATION_TOTAL', member: 'rateLimitRegistrationTotal', kind: 'integer' },
  { name: 'RATE_LIMIT_SIGN_IN', member: 'rateLimitSignIn', kind: 'integer' },
  { name: 'RATE_LIMIT_SIGN_IN_TOTAL', member: 'rateLimitSignInTotal', kind: 'integer' },
  { name: 'SECURITY_CONTACT', member: 'securityContact', kind: 'text' },
  { name: 'DISPLAY_NAME', member: 'displayName', kind: 'text' },
  { name: 'EXPLORER_TRANSACTION_URL', member: 'explorerTransactionUrl', kind: 'text' },
  { name: 'PAYMASTER_URL', member: 'paymasterUrl', kind: 'text', file: true },
  { name: 'PAYMASTER_CONTEXT', member: 'paymasterContext', kind: 'text', file: true },
  { name: 'PAYMASTER_ENTRY_POINTS', member: 'paymasterEntryPoints', kind: 'list' },
  { name: 'TEST_WALLET_URL', member: 'testWalletUrl', kind: 'text' },
];

/**
 * A process with any of these variables is a deployed service; with none of them, `npm start` runs the local market.
 */
const DEPLOYMENT_VARIABLES = ['DATABASE_URL', 'RPC_URL', 'ESCROW_FACTORY_ADDRESS'] as const;

/** Names and texts of environment variables, as `process.env` holds them. */
export type VariableSource = Readonly<Record<string, string | undefined>>;

/** Which of the deployment's variables are given (directly or as `_FILE`) and which are not. */
export function deploymentVariables(source: VariableSource = process.env): { given: string[]; missing: string[] } {
  const isGiven = (name: string) => Boolean(source[name] ?? source[`${name}_FILE`]);
  return {
    given: DEPLOYMENT_VARIABLES.filter(isGiven),
    missing: DEPLOYMENT_VARIABLES.filter((name) => !isGiven(name)),
  };
}
