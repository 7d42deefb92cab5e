import { eventually } from '../../support/eventually.js';
import type { ApiAnswer } from '../../support/market.js';
import type { ServiceProcess } from '../../support/resilience/service-process.js';

const AWAY = 'per process, their store is away';
const BACK = 'The rate-limit store answers again';
const TRIES = 5;

/**
 * Where the log last says that the service counts by itself because the store of the limits does not answer; -1:
 * nowhere.
 */
export function lastAway({ process }: ServiceProcess): number {
  return process.output.lastIndexOf(AWAY);
}

/** True when the log says that the service now counts by itself. */
export function isOnFallback(service: ServiceProcess): boolean {
  return lastAway(service) > service.process.output.lastIndexOf(BACK);
}

/** Waits until the log, which is written a moment later, contains everything up to this answer. */
export function logged({ process }: ServiceProcess, { headers }: ApiAnswer): Promise<void> {
  return eventually(() => process.output.includes(headers.get('X-Request-Id')!));
}

/**
 * The result of `run` from an attempt in which all services counted in their store. The store has a second to answer,
 * which a busy machine can exceed. A service then counts by itself, as it should, and `run`, which must use new
 * callers, is repeated.
 * @param call a request that does not count in `run`.
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
