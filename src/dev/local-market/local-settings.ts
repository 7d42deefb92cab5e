import { parseArgs } from 'node:util';
import { VARIABLES } from '../../platform/config/variables.js';
import { CallFault, LocalFault, messageOf } from '../processes/local-fault.js';

/** The user's settings for the local market. */
export interface LocalSettings {
  /** Folder of the market's data. */
  directory: string;
  /** Port of the API; 0: any free one; null: the first free one from 3000 on. */
  port: number | null;
  /** True: delete the data of earlier starts. */
  reset: boolean;
  /** Variables that are passed on to the service. */
  service: Readonly<Record<string, string>>;
  /** Database settings besides the ones of every local market. */
  postgres: Readonly<Record<string, string>>;
}

export const START_USAGE = `Starts Tasktree: the local market of this machine, or the deployed service.

  npm start                         the whole market on this machine: database, chain, contracts, sample data, service
  npm start -- --data-dir FOLDER    where its data is (TASKTREE_DIR, or else .tasktree)
  npm start -- --port NUMBER        port of the API (PORT, or else the first free one from 3000 on)
  npm start -- --reset              deletes what earlier starts have made, and begins anew
  npm start -- --help               this text

With any of DATABASE_URL, RPC_URL and ESCROW_FACTORY_ADDRESS set it is the deployed service, which takes its settings from
variables alone (.env.example lists them) and no option. Exit code 2: called with what it does not know.`;

const DEFAULT_DIRECTORY = '.tasktree';
/** Variables that a user may set for the service of a local market; the market decides all others. */
const HANDED_ON =
  /^(?:(?:RATE_LIMIT|QUOTA|AUDIT)_[A-Z_]+|LOG_LEVEL|CORS_ORIGINS|DISPLAY_NAME|REDIS_URL|ACTION_TTL_SECONDS|CHAIN_POLL_MS)$/;
const SETTINGS: ReadonlySet<string> = new Set(VARIABLES.map(({ name }) => name).filter((name) => HANDED_ON.test(name)));

/**
 * Reads the command line (`--data-dir`, `--port`, `--reset`) and the variables TASKTREE_DIR and PORT; the command line
 * wins. Throws LocalFault on anything it does not know.
 */
export function localSettings(args: readonly string[], variables: NodeJS.ProcessEnv): LocalSettings {
  const values = parse(args);
  return {
    directory: values['data-dir'] ?? marketDirectory(variables),
    port: portOf(values.port ?? variables.PORT),
    reset: values.reset ?? false,
    service: handedOn(variables),
    postgres: {},
  };
}

/** The folder of the local market when no option names one. */
export function marketDirectory(variables: NodeJS.ProcessEnv): string {
  return variables.TASKTREE_DIR || DEFAULT_DIRECTORY;
}

/** The variables that a local market passes on to its service. */
export function handedOn(variables: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]): [string, string][] =>
      value !== undefined && value !== '' && SETTINGS.has(name) ? [[name, value]] : [],
    ),
  );
}

/** Names of variables that are set but configure only a deployed service, not a local market. */
export function ignoredVariables(variables: NodeJS.ProcessEnv): string[] {
  const names = VARIABLES.flatMap(({ name, file }) => (file ? [name, `${name}_FILE`] : [name]));
  return names.filter((name) => Boolean(variables[name]) && !SETTINGS.has(name) && name !== 'PORT');
}

function parse(args: readonly string[]): {
  'data-dir'?: string | undefined;
  port?: string | undefined;
  reset?: boolean | undefined;
} {
  try {
    return parseArgs({
      args: [...args],
      options: { 'data-dir': { type: 'string' }, port: { type: 'string' }, reset: { type: 'boolean' } },
    }).values;
  } catch (error) {
    throw new CallFault(messageOf(error), START_USAGE);
  }
}

function portOf(text: string | undefined): number | null {
  if (text === undefined || text === '') return null;
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : -1;
  if (port === 0) return null;
  if (port < 1 || port > 65_535)
    throw new LocalFault(`PORT is "${text}": give a number from 1 to 65535, or leave it away.`);
  return port;
}
