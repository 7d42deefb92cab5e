import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Above the ports up to 10080 that browsers and `fetch` refuse, and below the range from which the system assigns
 * ports.
 */
const [LOWEST, END] = [10_081, 32_000];

/** A loopback port on which nobody listens now, and which the system assigns to nobody else. */
export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, END);
  return (await isFree(port)) ? port : freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
