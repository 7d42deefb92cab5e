import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Environment } from '../config/environment.js';
import { Metrics } from '../metrics/metrics.js';
import { HealthProbes } from './health-probes.js';
import { readinessOf } from './readiness.js';

type Answer = { status: number; type: string; text: string };

/** Health and metrics on a listener of their own, so that the public one never shows them. */
@Injectable()
export class ManagementServer {
  private server: Server | undefined;
  private isStarted = false;
  private isDraining = false;

  constructor(
    private readonly environment: Environment,
    private readonly metrics: Metrics,
    private readonly probes: HealthProbes,
  ) {}

  /** Listens; returns the listener's URL. Rejects when the port is taken. */
  async listen(): Promise<string> {
    const { managementHost, managementPort } = this.environment;
    const server = createServer((request, response) => void this.handle(request, response));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(managementPort, managementHost, resolve);
    });
    this.server = server;
    const address: AddressInfo | string | null = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : managementPort;
    return `http://${managementHost}:${port}`;
  }

  /** From now on `/health/startup` is 200. */
  markStarted(): void {
    this.isStarted = true;
  }

  /** From now on `/health/ready` is 503, so that no new caller is sent here. */
  drain(): void {
    this.isDraining = true;
  }

  async close(): Promise<void> {
    const { server } = this;
    if (!server) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, type, text } = await this.answer(request.method ?? '', request.url ?? '').catch(() =>
      json(500, { status: 'failing' }),
    );
    response.writeHead(status, {
      'Content-Type': type,
      'Content-Length': Buffer.byteLength(text),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
    });
    response.end(text);
  }

  private async answer(method: string, url: string): Promise<Answer> {
    if (method !== 'GET' && method !== 'HEAD') return json(405, { status: 'method not allowed' });
    switch (url) {
      // Any answer shows that the event loop turns.
      case '/health/live':
        return json(200, { status: 'ok' });
      case '/health/startup':
        return this.isStarted ? json(200, { status: 'ok' }) : json(503, { status: 'starting' });
      // Load balancers ask this: a process that can still serve reads keeps getting requests.
      case '/health/ready':
        return this.ready('reads');
      case '/health/ready/writes':
        return this.ready('writes');
      case '/metrics':
        return { status: 200, type: this.metrics.contentType, text: await this.metrics.text() };
      default:
        return json(404, { status: 'not found' });
    }
  }

  private async ready(what: 'reads' | 'writes'): Promise<Answer> {
    if (this.isDraining) return json(503, { status: 'draining' });
    if (!this.isStarted) return json(503, { status: 'starting' });
    const { checks, ...served } = await readinessOf(this.probes.all());
    const status = served[what] ? 'ok' : 'failing';
    const writes = served.writes ? 'ok' : 'failing';
    return json(served[what] ? 200 : 503, { status, reads: served.reads ? 'ok' : 'failing', writes, checks });
  }
}

function json(status: number, body: object): Answer {
  return { status, type: 'application/json', text: JSON.stringify(body) };
}
