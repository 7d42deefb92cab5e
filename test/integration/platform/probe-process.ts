import 'reflect-metadata';
import { probe, startProbeApp } from '../../support/probe-app.js';
import { testEnvironment } from '../../support/test-environment.js';

/**
 * A probe service in its own process, which a spec can kill. Prints its URL. With PROBE_KILL=1 it kills itself by
 * SIGKILL in the middle of a write; with PROBE_HANG=1 its writes never end.
 */
async function main() {
  if (process.env.PROBE_KILL) {
    probe.afterEffect = () => {
      process.kill(process.pid, 'SIGKILL');
      return new Promise(() => undefined);
    };
  }
  if (process.env.PROBE_HANG) probe.afterEffect = () => new Promise(() => undefined);
  const limit = Number(process.env.PROBE_LIMIT ?? 100_000);
  const environment = testEnvironment(process.env.PROBE_DATABASE_URL ?? '', { rateLimitPrincipal: limit });
  const { url } = await startProbeApp(environment);
  process.stdout.write(`${url}\n`);
}

void main();
