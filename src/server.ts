import type { AddressInfo } from 'node:net';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { AppModule } from './app.module.js';
import { EventStreams } from './modules/event-feed/stream/event-streams.js';
import { ProgressWaits } from './modules/signing/approval/progress-waits.js';
import { ChainArrival } from './platform/chain/chain-arrival.js';
import { configureApp, createHttpAdapter } from './app.setup.js';
import type { Environment } from './platform/config/environment.js';
import { runPendingMigrations } from './platform/database/run-pending-migrations.js';
import { ManagementServer } from './platform/health/management-server.js';
import { ServiceLog } from './platform/logging/service-log.js';

/** A running service: its two listeners and the ways to stop it. */
export interface RunningServer {
  /** Where the public listener listens. */
  url: string;
  /** Where health and metrics are. */
  managementUrl: string;
  /** Resolves with the reason when the service must stop: the chain that it found is not its own. */
  refused: Promise<Error>;
  /** Tells the load balancer (`/health/ready` 503), waits for it to notice, then closes. */
  drain(): Promise<void>;
  /** Stops taking requests, finishes those that run, and releases every connection. */
  close(): Promise<void>;
}

/** How long requests that run may take to end before their connections are cut. */
const CLOSE_TIMEOUT_MS = 25_000;
const CLOSE_IDLE_MS = 100;

/** Starts the whole service. Rejects when a part that it needs is missing or wrong. */
export async function startServer(environment: Environment): Promise<RunningServer> {
  const app = await NestFactory.create(AppModule.register(environment), createHttpAdapter(environment), {
    bodyParser: false,
    bufferLogs: true,
    // Nothing is printed until the service's own log takes the buffer over: of a start that fails, only the reason is
    // told.
    logger: false,
    abortOnError: false,
  });
  const log = app.get(ServiceLog);
  app.useLogger(log);
  const management = app.get(ManagementServer);
  const close = () => closeAll(app, management, log);
  try {
    await prepareSchema(app.get(DataSource), environment);
    configureApp(app);
    const managementUrl = await management.listen();
    await app.listen(environment.port, environment.host);
    management.markStarted();
    const drain = async () => {
      management.drain();
      await sleep(environment.drainSeconds * 1000);
      await close();
    };
    return { url: urlOf(app, environment.host), managementUrl, refused: app.get(ChainArrival).refused, drain, close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

/** Nothing runs on a schema that is not whole: half of the service would fail at its first request. */
async function prepareSchema(dataSource: DataSource, { migrateOnStart }: Environment): Promise<void> {
  if (migrateOnStart) await runPendingMigrations(dataSource);
  else if (await dataSource.showMigrations()) {
    throw new Error('The database lacks migrations: run "npm run migrate" first, or set MIGRATE_ON_START=true.');
  }
}

/** Requests end before the parts they use: Nest's own close would stop those first. */
async function closeAll(app: INestApplication, management: ManagementServer, log: ServiceLog): Promise<void> {
  // They would go on for minutes, and those who read them are to find another process.
  app.get(EventStreams).endAll();
  app.get(ProgressWaits).endAll();
  await closeListener(app.getHttpServer());
  await app.close();
  await management.close();
  log.flush();
}

async function closeListener(server: Server): Promise<void> {
  // A connection that falls idle after the close would be kept for its next request.
  const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
  const cut = setTimeout(() => server.closeAllConnections(), CLOSE_TIMEOUT_MS);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  clearInterval(idle);
  clearTimeout(cut);
}

function urlOf(app: INestApplication, host: string): string {
  const server: Server = app.getHttpServer();
  const address: AddressInfo | string | null = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The listener has no port');
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`;
}
