import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Above 10080, which browsers and `fetch` refuse, and below the ports that the system gives to whoever asks for any. */
const [LOWEST, END] = [10_081, 32_000];

/** A port of the loopback interface on which nobody listens now, and which nobody gets who asks for any port. */
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
