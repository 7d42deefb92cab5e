import { Marketplace, type Scope } from '#libs/sdk';
import { CliError, EXIT } from '../output/cli-error.js';
import { Output } from '../output/output.js';
import { SCOPES, Settings, variableOf } from '../profile/settings.js';
import { freshAccessToken } from '../sign-in/access-token.js';
import type { Host } from './host.js';

/** Options that every command has. */
export interface GlobalOptions {
  readonly profile?: string;
  readonly json?: boolean;
}

/** anvil's: it makes a block only when something is sent, so that nothing becomes final by itself. */
export const LOCAL_CHAIN_ID = 31_337;

/** What a command works with; nothing else of the process. */
export class CommandContext {
  readonly out: Output;
  private readSettings: Settings | undefined;

  constructor(
    readonly host: Host,
    private readonly options: GlobalOptions,
  ) {
    this.out = outputOf(host, options);
  }

  get signal(): AbortSignal {
    return this.host.signal;
  }

  /** Throws CliError where the profile cannot be used. */
  get settings(): Settings {
    this.readSettings ??= new Settings(this.host.env, this.options.profile);
    return this.readSettings;
  }

  /** After the profile was changed. */
  forgetSettings(): void {
    this.readSettings = undefined;
  }

  /** How far an action is waited for where nobody says it. */
  get until(): 'confirmed' | 'final' {
    return this.settings.deployment?.chainId === LOCAL_CHAIN_ID ? 'confirmed' : 'final';
  }

  /** The market as the person's credentials allow it. Throws CliError where there are none. */
  market(): Marketplace {
    const { url, deployment, rpcUrl, credentials } = this.settings;
    if (credentials === undefined) throw notSignedIn();
    return new Marketplace({
      baseUrl: url,
      deployment,
      node: rpcUrl,
      fetch: this.host.fetch,
      now: this.host.now,
      pause: this.host.pause,
      until: this.until,
      ...(credentials.type === 'keys' ? { keys: guarded(credentials.keys) } : { accessToken: () => this.token() }),
    });
  }

  /** Headers with which a request of this scope is allowed. Throws CliError where no credential has it. */
  async authorization(scope: Scope): Promise<Record<string, string>> {
    const { credentials } = this.settings;
    if (credentials === undefined) throw notSignedIn();
    if (credentials.type !== 'keys') return { Authorization: `Bearer ${await this.token()}` };
    return { 'X-Api-Key': guarded(credentials.keys)[scope] };
  }

  private token(): string | Promise<string> {
    const { credentials, file } = this.settings;
    return credentials?.type === 'token' ? credentials.token : freshAccessToken(file, this.host);
  }
}

export function outputOf(host: Host, { json = false }: GlobalOptions): Output {
  const isHuman = host.out.isTTY && !json;
  return new Output(host.out, host.err, isHuman, isHuman && !host.env['NO_COLOR']);
}

/** The keys, and where one is asked for that is not there, what to do about it. */
function guarded(keys: Partial<Record<Scope, string>>): Record<Scope, string> {
  const members = SCOPES.map((scope): [string, PropertyDescriptor] => [
    scope,
    {
      get: () => {
        const key = keys[scope];
        if (key !== undefined) return key;
        throw new CliError({
          exit: EXIT.auth,
          what: `This needs a key of the scope ${scope}.`,
          advice: `Make one under /account/keys, and add it: tasktree login --with-key, or set ${variableOf(scope)}`,
          code: 'no_key',
        });
      },
    },
  ]);
  return Object.defineProperties({}, Object.fromEntries(members)) as Record<Scope, string>;
}

function notSignedIn(): CliError {
  return new CliError({
    exit: EXIT.auth,
    what: 'You are not signed in.',
    advice: 'tasktree login, or set TASKTREE_TOKEN or TASKTREE_READ_KEY',
    code: 'not_signed_in',
  });
}
