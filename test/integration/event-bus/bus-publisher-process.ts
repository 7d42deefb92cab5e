import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { EventBus } from '../../../src/modules/event-bus/event-bus.js';
import { LISTS, ReadConnections } from '../../../src/platform/database/reads/read-connections.js';
import { testEnvironment } from '../../support/test-environment.js';

/** A publisher to the bus in its own process, which a spec can kill. Prints `publishing` when it has begun. */
async function main(): Promise<void> {
  const { BUS_DATABASE_URL = '', BUS_NATS_URL = '' } = process.env;
  const settings = testEnvironment(BUS_DATABASE_URL, { eventsNatsUrl: BUS_NATS_URL });
  const bus = new EventBus(settings, new ReadConnections(settings, LISTS));
  process.stdout.write('publishing\n');
  const { signal } = new AbortController();
  for (;;) {
    await bus.publish(signal).catch((error: unknown) => process.stdout.write(`${String(error)}\n`));
    await pause(5);
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
