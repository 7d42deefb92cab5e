import { ArrayUnique, IsArray, IsBoolean, IsIn, IsInt, Matches, Max, Min } from 'class-validator';
import { StorageSettings } from './storage.settings.js';

const CIDR = /^[0-9a-fA-F.:]+(?:\/[0-9]{1,3})?$/;
const HOST = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/;
const DAY_SECONDS = 86_400;

/** Settings of the rate limits, and of the applications that may act for people. */
export abstract class AccessSettings extends StorageSettings {
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

  /** Refusals of one known key or grant in a quarter of an hour. */
  @IsInt()
  @Min(1)
  rateLimitAuthFailures = 20;

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

  /** `read`: the MCP endpoint has the tools that read and no other, for directories that take no more. */
  @IsIn(['all', 'read'])
  mcpTools: 'all' | 'read' = 'all';

  /** Hosts, with port where there is one, under which the MCP endpoint may be called beside that of the base URL. */
  @IsArray()
  @ArrayUnique()
  @Matches(/^[a-z0-9.[\]:-]+$/, {
    each: true,
    message: 'must be a list of host names, each with its port where it has one',
  })
  mcpHosts: readonly string[] = [];

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

  /** Networks from which metadata of applications may be fetched although they are not public. */
  @IsArray()
  @ArrayUnique()
  @Matches(CIDR, { each: true, message: 'must be a list of addresses or CIDR networks' })
  oauthPrivateNetworks: readonly string[] = [];

  /** Networks of receivers of webhooks that are connected to although they are not public. */
  @IsArray()
  @ArrayUnique()
  @Matches(CIDR, { each: true, message: 'must be a list of addresses or CIDR networks' })
  webhookPrivateNetworks: readonly string[] = [];

  /** How long an access token lasts unless the operator has said otherwise for its application. */
  @IsInt()
  @Min(60)
  @Max(DAY_SECONDS)
  oauthAccessTokenSeconds = 3600;

  /** Bytes of request bodies over 4 KiB that an account may send per minute; one body has up to 65,536. */
  @IsInt()
  @Min(65_536)
  rateLimitBodyBytes = 524_288;

  /** Words in the texts of agents that an account may publish per minute. */
  @IsInt()
  @Min(1)
  rateLimitAgentWords = 2_000;

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
}
