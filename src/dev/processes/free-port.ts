import { createServer } from 'node:net';
import { LocalFault, systemCode } from './local-fault.js';
import { listenerOf } from './port-listener.js';

const LOOPBACK = '127.0.0.1';
/** Ports that are tried in this order when none was asked for. */
const FIRST_PORT = 3000;
const PORTS_TRIED = 50;

export interface ChosenPort {
  port: number;
  /** A sentence that says why it is not the default port; empty when it is. */
  note: string;
}

/** A port that is free on 127.0.0.1 now. */
export async function freePort(): Promise<number> {
  const port = await tryPort(0);
  if (port === null) throw new LocalFault('No free port is left on 127.0.0.1.');
  return port;
}

/** True when the port is free now. */
export async function isFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== null;
}

/**
 * The port for the API: `wanted` (0: any free one), or when it is null the first free one from 3000 on. Throws
 * LocalFault when `wanted` is in use.
 */
export async function apiPort(wanted: number | null): Promise<ChosenPort> {
  if (wanted !== null) {
    const port = await tryPort(wanted);
    if (port !== null) return { port, note: '' };
    throw new LocalFault(
      `Port ${wanted} is used by ${listenerOf(wanted)}. Choose another one, for example \`PORT=${wanted + 1} npm start\`, ` +
        'or leave PORT away: then a free one is found.',
    );
  }
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS_TRIED; port += 1) {
    if ((await tryPort(port)) === null) continue;
    const note =
      port === FIRST_PORT
        ? ''
        : `Port ${FIRST_PORT} is used by ${listenerOf(FIRST_PORT)}; using ${port} (PORT=… chooses)`;
    return { port, note };
  }
  return { port: await freePort(), note: `Ports ${FIRST_PORT} to ${FIRST_PORT + PORTS_TRIED - 1} are all in use` };
}

/** The port if it is free (0: any free one), else null. */
function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => {
      const code = systemCode(error);
      if (code === 'EADDRINUSE') return resolve(null);
      reject(
        code === 'EACCES'
          ? new LocalFault(
              `Port ${port} needs rights that this user has not: choose one above 1023, for example PORT=3000.`,
            )
          : error,
      );
    });
    server.listen(port, LOOPBACK, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : port));
    });
  });
}
