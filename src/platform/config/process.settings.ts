import {
  ArrayMaxSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
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
} from 'class-validator';

/** Levels of the log, the most talkative first. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const ORIGIN = /^https?:\/\/[^/\s?#]+$/;
const BASE_URL = /^https?:\/\/[^/\s?#]+(?:\/[^\s?#]*[^/\s?#])?$/;
const CIDR = /^[0-9a-fA-F.:]+(?:\/[0-9]{1,3})?$/;
const SECURITY_CONTACT = /^(?:mailto:[^\s@?]+@[^\s@?]+|https:\/\/[^\s/]+(?:\/\S*)?)$/;
const NATS_SERVER = '(?:[^\\s,/?#@:]+:[^\\s,/?#@]+@)?[^\\s,/?#@]+';
/** All of one scheme: with a server that is spoken to in clear text, TLS to the others would be worth nothing. */
const NATS_URLS = new RegExp(
  ['nats', 'tls'].map((scheme) => `^${scheme}://${NATS_SERVER}(?:,${scheme}://${NATS_SERVER})*$`).join('|'),
);
const NATS_CREDENTIALS = /BEGIN NATS USER JWT[^]+BEGIN USER NKEY SEED/;
const MAX_PORT = 65_535;

/** Settings of the process: its connections, its listeners, its log, and the secrets of the service. */
export abstract class ProcessSettings {
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

  /** Servers of NATS JetStream, between commas, to which every event is published; null = events stay in the log. */
  @IsOptional()
  @Matches(NATS_URLS, { message: 'must be nats:// URLs or tls:// URLs between commas, with nothing behind the port' })
  eventsNatsUrl: string | null = null;

  /** Text of a .creds file: a user's JWT and seed; null = the token, or what the URL says. */
  @IsOptional()
  @Matches(NATS_CREDENTIALS, { message: 'must be the text of a .creds file' })
  eventsNatsCredentials: string | null = null;

  /** Token of those servers; null = the user and password of the URL, or none. */
  @IsOptional()
  @IsNotEmpty()
  eventsNatsToken: string | null = null;

  /** True: run pending migrations before listening. */
  @IsBoolean()
  migrateOnStart = false;

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

  /** Open connections per client address; those of trusted proxies are not counted. */
  @IsInt()
  @Min(1)
  maxConnectionsPerAddress = 500;

  /** Seconds between "not ready" and closing, for the load balancer to notice. */
  @IsInt()
  @Min(0)
  @Max(300)
  drainSeconds = 5;

  @IsNotEmpty()
  managementHost = '127.0.0.1';

  /** Port of health and metrics; 0 = any free one. */
  @IsInt()
  @Min(0)
  @Max(MAX_PORT)
  managementPort = 3001;

  @IsIn(LOG_LEVELS)
  logLevel: LogLevel = 'info';

  /** Name of the service in pages and documents. */
  @IsNotEmpty()
  @MaxLength(60)
  displayName = 'Tasktree';

  /** Where holes are reported: a `mailto:` or `https:` URL; null = nobody is named. */
  @IsOptional()
  @Matches(SECURITY_CONTACT, { message: 'must be a mailto: or https:// URL' })
  securityContact: string | null = null;

  /** Root of all keys that the service derives (HKDF). */
  @IsString()
  @MinLength(32)
  appSecret!: string;

  /** Former secrets: nothing new is made with them, but what was made with them can still be read. */
  @IsArray()
  @ArrayMaxSize(8)
  @IsString({ each: true })
  @MinLength(32, { each: true })
  appSecretPrevious: readonly string[] = [];
}
