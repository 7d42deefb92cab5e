import { eventually } from '../eventually.js';
import type { ApiAnswer } from '../market.js';
import type { ServiceProcess } from './service-process.js';

const AWAY = 'per process, their store is away';
const BACK = 'The rate-limit store answers again';
const TRIES = 5;

/** Where its log says last that it counts by itself because the store of the limits does not answer; -1: nowhere. */
export function lastAway({ process }: ServiceProcess): number {
  return process.output.lastIndexOf(AWAY);
}

/** Whether its log says that it counts by itself now. */
export function isOnFallback(service: ServiceProcess): boolean {
  return lastAway(service) > service.process.output.lastIndexOf(BACK);
}

/** Waits until its log, which is written a moment later, holds all that it said before this answer. */
export function logged({ process }: ServiceProcess, { headers }: ApiAnswer): Promise<void> {
  return eventually(() => process.output.includes(headers.get('X-Request-Id')!));
}

/**
 * What `run` gives when all of them counted in their store meanwhile. The store has a second to answer, which a busy
 * machine can exceed; the process then counts by itself, as it should, and `run`, which takes a fresh caller, is repeated.
 * @param call a request that has no part in the counts of `run`.
 */
export async function whileStoreCounts<T>(
  services: readonly ServiceProcess[],
  call: (service: ServiceProcess) => Promise<ApiAnswer>,
  run: () => Promise<T>,
): Promise<T> {
  const logsOf = () => Promise.all(services.map(async (service) => logged(service, await call(service))));
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    await eventually(async () => {
      await logsOf();
      return !services.some(isOnFallback);
    });
    const before = services.map(lastAway);
    const result = await run();
    await logsOf();
    if (services.every((service, index) => lastAway(service) === before[index])) return result;
  }
  throw new Error(`The store of the limits was away in each of ${TRIES} attempts`);
}
