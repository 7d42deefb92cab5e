import { parseArgs } from 'node:util';
import { LocalFault } from './local-fault.js';

/** How the person wants the local market. */
export interface LocalSettings {
  /** Folder of its data. */
  directory: string;
  /** Port of the API; null: the first free one from 3000 on. */
  port: number | null;
  /** True: delete what an earlier start has made. */
  reset: boolean;
  /** Settings that are handed on to the service. */
  service: Readonly<Record<string, string>>;
  /** Settings of the database besides those that every local market has. */
  postgres: Readonly<Record<string, string>>;
}

const DEFAULT_DIRECTORY = '.tasktree';
/** What a person may set for the service of a local market; everything else the market itself decides. */
const HANDED_ON =
  /^(?:RATE_LIMIT_[A-Z_]+|LOG_LEVEL|CORS_ORIGINS|DISPLAY_NAME|REDIS_URL|ACTION_TTL_SECONDS|CHAIN_POLL_MS)$/;

/**
 * Reads the command line (`--data-dir`, `--port`, `--reset`) and the variables TASKTREE_DIR and PORT; the command line
 * wins. Throws LocalFault on anything it does not know.
 */
export function localSettings(args: readonly string[], variables: NodeJS.ProcessEnv): LocalSettings {
  const values = parse(args);
  const handedOn = Object.entries(variables).flatMap(([name, value]): [string, string][] =>
    value !== undefined && value !== '' && HANDED_ON.test(name) ? [[name, value]] : [],
  );
  return {
    directory: values['data-dir'] ?? (variables.TASKTREE_DIR || DEFAULT_DIRECTORY),
    port: portOf(values.port ?? variables.PORT),
    reset: values.reset ?? false,
    service: Object.fromEntries(handedOn),
    postgres: {},
  };
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
    const what = error instanceof Error ? error.message : String(error);
    throw new LocalFault(`${what}. Known: --data-dir FOLDER, --port NUMBER, --reset (after \`npm start --\`).`);
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
