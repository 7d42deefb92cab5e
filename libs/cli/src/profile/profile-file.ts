import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Deployment, Scope } from '#libs/sdk';
import { CliError, EXIT, usageError } from '../output/cli-error.js';
import { replaceFile } from './replace-file.js';

/** Tokens of a sign-in in the browser. */
export interface Tokens {
  access: string;
  refresh?: string | undefined;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** What this program keeps of one market: where it is, what it is, and what it lets the person do. */
export interface Profile {
  url: string;
  /** The chain and contracts that the person has pinned; no action is prepared without. */
  deployment?: Deployment | undefined;
  /** Address of a blockchain node that the person trusts. */
  rpcUrl?: string | undefined;
  keys?: Partial<Record<Scope, string>> | undefined;
  tokens?: Tokens | undefined;
  /** Of this program at this market: registrations are limited, so it registers once. */
  clientId?: string | undefined;
  /** Where tokens of the sign-in are renewed: found and checked when the person signed in. */
  tokenEndpoint?: string | undefined;
  /** What events are signed with that `listen` sends on. */
  listenSecret?: string | undefined;
}

const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/i;
const OWNER_ONLY = 0o600;
const OTHERS = 0o077;
const WAIT_FOR_LOCK_MS = 50;
/** What holds a lock only asks one server for a token; longer than that it has died. */
const DEAD_LOCK_MS = 60_000;

/** The file of one profile, readable for its owner alone. */
export class ProfileFile {
  readonly path: string;

  /** Throws CliError where the name is none. */
  constructor(folder: string, name: string) {
    if (!NAME.test(name)) throw usageError('The name of a profile has letters, digits and dashes, at most 40.');
    this.path = join(folder, `${name}.json`);
  }

  /** Undefined: there is none. Throws CliError where others can read it, or it is no profile. */
  read(): Profile | undefined {
    let text: string;
    try {
      if (process.platform !== 'win32' && (statSync(this.path).mode & OTHERS) !== 0) throw this.open();
      text = readFileSync(this.path, 'utf8');
    } catch (error) {
      if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      const profile = JSON.parse(text) as Profile;
      if (typeof profile.url === 'string') return profile;
    } catch {
      // Told below.
    }
    const what = `${this.path} is damaged.`;
    throw new CliError({
      exit: EXIT.failed,
      what,
      advice: 'Remove it and sign in again: tasktree login',
      code: 'profile',
    });
  }

  write(profile: Profile): void {
    replaceFile(this.path, `${JSON.stringify(profile, null, 2)}\n`, OWNER_ONLY);
  }

  remove(): void {
    rmSync(this.path, { force: true });
  }

  /**
   * Runs one after the other what several processes may do at once: a refresh token that is used twice ends the access
   * of both.
   */
  async alone<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const lock = `${this.path}.lock`;
    while (!took(lock)) {
      signal?.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, WAIT_FOR_LOCK_MS));
    }
    try {
      return await work();
    } finally {
      rmSync(lock, { force: true });
    }
  }

  private open(): CliError {
    return new CliError({
      exit: EXIT.auth,
      what: `Others can read ${this.path}, which holds credentials.`,
      advice: `chmod 600 ${this.path}, and replace its credentials where others were on this machine`,
      code: 'profile_readable',
    });
  }
}

function took(lock: string): boolean {
  mkdirSync(dirname(lock), { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(lock, 'wx', OWNER_ONLY));
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EEXIST') throw error;
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (since !== undefined && Date.now() - since > DEAD_LOCK_MS) rmSync(lock, { force: true });
    return false;
  }
}
