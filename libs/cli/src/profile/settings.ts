import { join } from 'node:path';
import type { Deployment, Scope } from '#libs/sdk';
import { CliError, EXIT, usageError } from '../output/cli-error.js';
import { type Profile, ProfileFile } from './profile-file.js';

type Env = Readonly<Record<string, string | undefined>>;

export const SCOPES: readonly Scope[] = ['read', 'buyer', 'worker', 'agent-owner'];
const DEFAULT_NAME = 'default';

/** Credentials of one call. */
export type Credentials =
  | { readonly type: 'keys'; readonly keys: Partial<Record<Scope, string>>; readonly from: string }
  | { readonly type: 'token'; readonly token: string; readonly from: string }
  | { readonly type: 'sign-in'; readonly from: string };

/**
 * What holds for one command: the variables of the environment, and the file of the profile. What the file knows of one
 * market, credentials above all, is never used for another.
 */
export class Settings {
  readonly file: ProfileFile;

  constructor(
    private readonly env: Env,
    /** `--profile`. */
    name: string | undefined,
  ) {
    this.name = name ?? env['TASKTREE_PROFILE'] ?? DEFAULT_NAME;
    this.file = new ProfileFile(configFolder(env), this.name);
    this.profile = this.file.read();
  }

  /** Of the profile. */
  readonly name: string;

  /** What the file holds, also of another market. */
  readonly profile: Profile | undefined;

  /** Throws CliError where no market is known. */
  get url(): string {
    const url = this.variables.url ?? this.profile?.url;
    if (url !== undefined) return marketUrl(url);
    throw new CliError({
      exit: EXIT.usage,
      what: 'No market is known.',
      advice: 'tasktree login https://market.example, or set TASKTREE_URL',
      code: 'no_market',
    });
  }

  get deployment(): Deployment | undefined {
    return this.ofThisMarket?.deployment;
  }

  get rpcUrl(): string | undefined {
    return this.env['TASKTREE_RPC_URL'] ?? this.ofThisMarket?.rpcUrl;
  }

  /** What the environment says, which comes before the profile. */
  get variables(): { readonly url?: string | undefined; readonly credentials?: Credentials | undefined } {
    const url = this.env['TASKTREE_URL'];
    const token = this.env['TASKTREE_TOKEN'];
    if (token) return { url, credentials: { type: 'token', token, from: 'TASKTREE_TOKEN' } };
    const keys = keysOf((scope) => this.env[variableOf(scope)]);
    return { url, credentials: keys && { type: 'keys', keys, from: 'TASKTREE_*_KEY' } };
  }

  /** Absent: there are none. */
  get credentials(): Credentials | undefined {
    const { credentials } = this.variables;
    if (credentials !== undefined) return credentials;
    const kept = this.ofThisMarket;
    const from = `profile ${this.name}`;
    if (kept?.tokens !== undefined) return { type: 'sign-in', from };
    const own = keysOf((scope) => kept?.keys?.[scope]);
    return own === undefined ? undefined : { type: 'keys', keys: own, from };
  }

  /** Changes the profile of this market, beginning with nothing where the file is of another. */
  save(change: Partial<Profile>, url = this.url): void {
    const before = this.file.read();
    if (before !== undefined && marketUrl(before.url) !== url) {
      throw usageError(
        `The profile ${this.name} is of ${before.url}.`,
        'Use another one: --profile NAME, or remove it: tasktree logout --forget',
      );
    }
    this.file.write({ ...before, url, ...change });
  }

  private get ofThisMarket(): Profile | undefined {
    const { profile } = this;
    return profile !== undefined && marketUrl(profile.url) === this.url ? profile : undefined;
  }
}

/** Where the profiles are. */
function configFolder(env: Env): string {
  const base = env['XDG_CONFIG_HOME'] || env['APPDATA'] || join(env['HOME'] ?? env['USERPROFILE'] ?? '.', '.config');
  return join(base, 'tasktree');
}

/** The address of a market as it is compared. Throws CliError where credentials could be read on their way. */
export function marketUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw usageError(`${text} is no address of a market.`, 'Write it in full, such as https://market.example');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    throw usageError('A market has an https address; http is for this machine alone.');
  }
  if (url.username !== '' || url.password !== '') throw usageError('The address of a market holds no credential.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** True for an address on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

/** Such as `TASKTREE_AGENT_OWNER_KEY`. */
export function variableOf(scope: Scope): string {
  return `TASKTREE_${scope.replace('-', '_').toUpperCase()}_KEY`;
}

function keysOf(keyOf: (scope: Scope) => string | undefined): Partial<Record<Scope, string>> | undefined {
  const keys = SCOPES.flatMap((scope) => {
    const key = keyOf(scope);
    return key ? [[scope, key] as const] : [];
  });
  return keys.length === 0 ? undefined : Object.fromEntries(keys);
}
