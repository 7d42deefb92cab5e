import { inspect } from 'node:util';
import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsEthereumAddress,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
} from 'class-validator';

/** Levels of the log, the most talkative first. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What can look for the candidates of a match. */
export const MATCHING_INDEXES = ['sql', 'memory'] as const;
export type MatchingIndex = (typeof MATCHING_INDEXES)[number];

/** EIP-155 id of a local development chain; keys made beside it are `test` keys. */
export const LOCAL_CHAIN_ID = 31337;

const ORIGIN = /^https?:\/\/[^/\s?#]+$/;
const BASE_URL = /^https?:\/\/[^/\s?#]+(?:\/[^\s?#]*[^/\s?#])?$/;
const LOOPBACK_URL = /^http:\/\/127\.0\.0\.1:[0-9]{1,5}$/;
const EXPLORER_URL = /^https?:\/\/[^/\s?#{}]+\/[^\s{}]*\{hash\}[^\s{}]*$/;
const CIDR = /^[0-9a-fA-F.:]+(?:\/[0-9]{1,3})?$/;
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const MAX_PORT = 65_535;
/** 5 GiB; far below what a store of either kind takes. */
const MAX_ARTIFACT_BYTES = 5_368_709_120;
const DAY_SECONDS = 86_400;
const MAX_QUOTA = 1_000_000_000_000;

/** Members that hold, or may hold, a secret: never printed. */
const CONFIDENTIAL: ReadonlySet<string> = new Set([
  'databaseUrl',
  'rpcUrl',
  'redisUrl',
  'appSecret',
  'appSecretPrevious',
  'artifactS3AccessKeyId',
  'artifactS3SecretAccessKey',
]);

/** The whole configuration of one service process; made by `loadEnvironment` and injected by its type. */
export class Environment {
  @Matches(/^postgres(?:ql)?:\/\/\S+$/, { message: 'must be a postgres:// URL' })
  databaseUrl!: string;

  /** Most connections that this process opens for writes. */
  @IsInt()
  @Min(2)
  @Max(500)
  databasePoolSize = 20;

  @Matches(/^https?:\/\/\S+$/, { message: 'must be an http:// or https:// URL' })
  rpcUrl!: string;

  /** Shared store of the rate limits; null = they are counted in Postgres. */
  @IsOptional()
  @Matches(/^rediss?:\/\/\S+$/, { message: 'must be a redis:// URL' })
  redisUrl: string | null = null;

  /** Public URL of the service without a trailing slash; the only source of the URLs it hands out. */
  @Matches(BASE_URL, { message: 'must be an http(s) URL without trailing slash, query or fragment' })
  baseUrl!: string;

  /** Address the public listener binds to. */
  @IsNotEmpty()
  host = '127.0.0.1';

  /** Port of the public listener; 0 = any free one. */
  @IsInt()
  @Min(0)
  @Max(MAX_PORT)
  port = 3000;

  /** False: a proxy in front compresses what its callers accept. */
  @IsBoolean()
  compressAnswers = true;

  @IsNotEmpty()
  managementHost = '127.0.0.1';

  /** Port of health and metrics; 0 = any free one. */
  @IsInt()
  @Min(0)
  @Max(MAX_PORT)
  managementPort = 3001;

  /** Root of all keys that the service derives (HKDF). */
  @IsString()
  @MinLength(32)
  appSecret!: string;

  /** Secrets from before: nothing new is made under them, what was is still read. */
  @IsArray()
  @ArrayMaxSize(8)
  @IsString({ each: true })
  @MinLength(32, { each: true })
  appSecretPrevious: readonly string[] = [];

  /** EIP-155 chain id that `rpcUrl` must serve. */
  @IsInt()
  @Min(1)
  chainId!: number;

  @IsEthereumAddress()
  escrowFactoryAddress!: string;

  /** First block that can hold an event of the factory. */
  @IsInt()
  @Min(0)
  chainStartBlock = 0;

  /** Blocks that must lie above a block before its events count. */
  @IsInt()
  @Min(0)
  @Max(10_000)
  chainConfirmations = 0;

  /** Milliseconds between two looks at the chain's head. */
  @IsInt()
  @Min(50)
  @Max(600_000)
  chainPollMs = 1000;

  /** False: this process serves HTTP only. */
  @IsBoolean()
  indexerEnabled = true;

  /** Seconds from one trust run to the next. */
  @IsInt()
  @Min(10)
  @Max(DAY_SECONDS)
  trustIntervalSeconds = 600;

  /** Where the candidates for a task come from: `sql`, the postings in the database; `memory`, an index of this process. */
  @IsIn(MATCHING_INDEXES)
  matchingIndex: MatchingIndex = 'sql';

  /** Keys of the other environment are refused. */
  @IsIn(['live', 'test'])
  keyEnvironment: 'live' | 'test' = 'live';

  /** Reads (GET, HEAD) per credential and minute. */
  @IsInt()
  @Min(1)
  rateLimitPrincipal = 120;

  /** Writes (every other method) per credential and minute. */
  @IsInt()
  @Min(1)
  rateLimitPrepare = 30;

  /** Reads per account and minute, over all its credentials. */
  @IsInt()
  @Min(1)
  rateLimitAccount = 600;

  /** Writes per account and minute, over all its credentials. */
  @IsInt()
  @Min(1)
  rateLimitAccountPrepare = 120;

  /** Requests without a credential, or with one that is refused, per client address and minute. */
  @IsInt()
  @Min(1)
  rateLimitIp = 3000;

  /** Open connections per client address; those of trusted proxies are not counted. */
  @IsInt()
  @Min(1)
  maxConnectionsPerAddress = 500;

  /** Refusals of one known key or grant in a quarter of an hour. */
  @IsInt()
  @Min(1)
  rateLimitAuthFailures = 20;

  /** Networks of the reverse proxies whose `X-Forwarded-For` and `X-Request-Id` are believed. */
  @IsArray()
  @ArrayUnique()
  @Matches(CIDR, { each: true, message: 'must be a list of addresses or CIDR networks' })
  trustedProxies: readonly string[] = [];

  /** Browser origins that may call the interface. */
  @IsArray()
  @ArrayUnique()
  @Matches(ORIGIN, { each: true, message: 'must be a list of origins such as https://app.example' })
  corsOrigins: readonly string[] = [];

  @IsIn(LOG_LEVELS)
  logLevel: LogLevel = 'info';

  /** Seconds between "not ready" and closing, for the load balancer to notice. */
  @IsInt()
  @Min(0)
  @Max(300)
  drainSeconds = 5;

  /** True: run pending migrations before listening. */
  @IsBoolean()
  migrateOnStart = false;

  /** How long idempotency keys are kept; longer than any prepared action lives. */
  @IsInt()
  @Min(3600)
  @Max(90 * DAY_SECONDS)
  idempotencyRetentionSeconds = DAY_SECONDS;

  /** How long a prepared action may be signed. */
  @IsInt()
  @Min(60)
  @Max(3600)
  actionTtlSeconds = 900;

  /** True: earnings and refunds are prepared for the wallet that signs alone (design/contract.md, Settled 3). */
  @IsBoolean()
  withdrawToSignerOnly = false;

  /** Most bytes of one artifact. */
  @IsInt()
  @Min(1024)
  @Max(MAX_ARTIFACT_BYTES)
  artifactMaxBytes = 104_857_600;

  /** Most bytes that one account may have in custody without a delivery; of this and the quotas below, 0 = no limit. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaCustodyBytes = 524_288_000;

  /** Most artifacts that one account may have in custody without a delivery. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaCustodyItems = 200;

  /** How long an artifact without a delivery stays in custody, from its upload or the end of what prepared its delivery. */
  @IsInt()
  @Min(DAY_SECONDS)
  @Max(365 * DAY_SECONDS)
  quotaCustodySeconds = 14 * DAY_SECONDS;

  /** Most tasks of one account that the chain knows nothing of: drafts, and tasks that nobody has paid for. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaTasks = 300;

  /** Most prepared actions of one account that were not executed, until they are deleted. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaActions = 5_000;

  /** Most agents of one account, retired ones included. */
  @IsInt()
  @Min(0)
  @Max(MAX_QUOTA)
  quotaAgents = 100;

  /** Rows of the record for one kind of event, client network and hour while nobody is signed in; all are counted. */
  @IsInt()
  @Min(0)
  @Max(1_000_000)
  auditAnonymousRows = 20;

  /** How long the record of an account is kept. */
  @IsInt()
  @Min(90)
  @Max(3_650)
  auditRetentionDays = 400;

  /** Folder of the artifacts in custody, when no bucket is given; relative to the folder the service starts in. */
  @IsNotEmpty()
  artifactDir = 'data/artifacts';

  /** Bucket of an S3-compatible store for the artifacts; null = they are kept in `artifactDir`. */
  @IsOptional()
  @Matches(BUCKET, { message: 'must be the name of a bucket' })
  artifactS3Bucket: string | null = null;

  /** Where that store is; null = at Amazon. */
  @IsOptional()
  @Matches(ORIGIN, { message: 'must be an http(s) URL without path, query or fragment' })
  artifactS3Endpoint: string | null = null;

  @IsNotEmpty()
  artifactS3Region = 'us-east-1';

  /** Null = the credentials of the machine, as the AWS SDK finds them. */
  @ValidateIf(hasOneOfKeyPair)
  @IsString()
  artifactS3AccessKeyId: string | null = null;

  @ValidateIf(hasOneOfKeyPair)
  @IsString()
  artifactS3SecretAccessKey: string | null = null;

  /** Seconds in which the newest superseded refresh token of a public client still works; RFC 9700 strictly: 0. */
  @IsInt()
  @Min(0)
  @Max(60)
  oauthRefreshLeewaySeconds = 30;

  /** True: applications may register themselves (RFC 7591), with redirects to `oauthRedirectHosts` or to loopback. */
  @IsBoolean()
  oauthDynamicRegistration = true;

  /** True: an application may be named by the URL of its metadata document (CIMD). */
  @IsBoolean()
  oauthClientDocuments = true;

  /** Hosts that a self-registered application may redirect to. */
  @IsArray()
  @ArrayUnique()
  @Matches(HOST, { each: true, message: 'must be a list of host names' })
  oauthRedirectHosts: readonly string[] = ['claude.ai', 'claude.com', 'chatgpt.com'];

  /**
   * Hosts whose metadata documents the operator knows: their names are shown without a warning, and they may be hosts at
   * which anybody can publish.
   */
  @IsArray()
  @ArrayUnique()
  @Matches(HOST, { each: true, message: 'must be a list of host names' })
  oauthKnownClientHosts: readonly string[] = [];

  /** Networks that are not public and that metadata of applications may be fetched from all the same. */
  @IsArray()
  @ArrayUnique()
  @Matches(CIDR, { each: true, message: 'must be a list of addresses or CIDR networks' })
  oauthPrivateNetworks: readonly string[] = [];

  /** How long an access token lasts unless the operator has said otherwise for its application. */
  @IsInt()
  @Min(60)
  @Max(DAY_SECONDS)
  oauthAccessTokenSeconds = 3600;

  /** Token requests per grant and minute. */
  @IsInt()
  @Min(1)
  rateLimitToken = 30;

  /** Token requests per application and minute, over all its grants. */
  @IsInt()
  @Min(1)
  rateLimitTokenClient = 12_000;

  /** Registrations of applications that each client address has per hour, whatever others do. */
  @IsInt()
  @Min(1)
  rateLimitRegistration = 10;

  /** Registrations per hour over all client addresses, in fair shares. */
  @IsInt()
  @Min(1)
  rateLimitRegistrationTotal = 1000;

  /** Sign-in messages that each client address has per minute, whatever others do. */
  @IsInt()
  @Min(1)
  rateLimitSignIn = 30;

  /** Sign-in messages per minute over all client addresses, in fair shares. */
  @IsInt()
  @Min(1)
  rateLimitSignInTotal = 1200;

  /** What the service calls itself in pages and documents. */
  @IsNotEmpty()
  @MaxLength(60)
  displayName = 'Tasktree';

  /** Page of a transaction in an explorer, with `{hash}` in it; null = the usual one of the chain, if there is one. */
  @IsOptional()
  @Matches(EXPLORER_URL, { message: 'must be an https:// URL with {hash} in it' })
  explorerTransactionUrl: string | null = null;

  /** Where the local market keeps its test wallet, whose keys this process never has; null = there is none. */
  @ValidateIf(hasTestWallet)
  @Matches(LOOPBACK_URL, { message: 'must be http://127.0.0.1:PORT' })
  @ValidateBy({
    name: 'isOfLocalChain',
    validator: {
      validate: (_url, at) => at?.object instanceof Environment && at.object.chainId === LOCAL_CHAIN_ID,
      defaultMessage: () => `is for the chain ${LOCAL_CHAIN_ID} alone`,
    },
  })
  testWalletUrl: string | null = null;

  /** The configuration with everything confidential masked: what may be printed. */
  toJSON(): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(this).map(([name, value]) => [
        name,
        CONFIDENTIAL.has(name) && value !== null && value !== undefined ? '[secret]' : value,
      ]),
    );
  }

  /** So that `console` and error messages of Node print no secret either. */
  [inspect.custom](): Record<string, unknown> {
    return this.toJSON();
  }
}

function hasTestWallet({ testWalletUrl }: Environment): boolean {
  return testWalletUrl !== null;
}

/** True when one half of the pair is given: then the other must be. */
function hasOneOfKeyPair({ artifactS3AccessKeyId, artifactS3SecretAccessKey }: Environment): boolean {
  return (artifactS3AccessKeyId === null) !== (artifactS3SecretAccessKey === null);
}
