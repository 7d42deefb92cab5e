import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpAdapterHost } from '@nestjs/core';
import type { DataSource } from 'typeorm';
import type { Hex } from '../../../libs/kernel/src/index.js';
import { Custody } from '../../../src/modules/artifacts/custody/custody.service.js';
import type { Environment } from '../../../src/platform/config/environment.js';
import { parsed } from '../../support/market.js';
import type { SteppingClock } from '../../support/stepping-clock.js';
import { ListeningService } from '../../support/listening-service.js';
import type { Caller } from '../../support/test-service.js';

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
  /** The parsed body; undefined when it is not JSON. */
  body: any;
}

export interface Upload {
  /** Parts of the body, sent one by one; a Content-Length is sent first unless `chunked`. */
  chunks?: Iterable<Buffer>;
  chunked?: boolean;
  key?: string;
  headers?: Record<string, string>;
  path?: string;
}

/** The service with its own database and folder of artifacts, as its routes of artifacts are called. */
export class ArtifactsApp {
  private constructor(
    private readonly service: ListeningService,
    readonly folder: string,
  ) {}

  static async start(own: Partial<Environment> = {}): Promise<ArtifactsApp> {
    const folder = await mkdtemp(join(tmpdir(), 'tasktree-artifacts-'));
    // Not where it listens: links come from the configuration alone.
    const environment = { baseUrl: 'https://market.example', artifactDir: join(folder, 'store'), ...own };
    return new ArtifactsApp(await ListeningService.listen({ environment }), folder);
  }

  part<T>(type: abstract new (...args: any[]) => T): T {
    return this.service.get(type);
  }

  get url(): string {
    return this.service.url;
  }

  get clock(): SteppingClock {
    return this.service.clock;
  }

  get dataSource(): DataSource {
    return this.service.dataSource;
  }

  get custody(): Custody {
    return this.part(Custody);
  }

  get server(): http.Server {
    return this.part(HttpAdapterHost).httpAdapter.getHttpServer();
  }

  /** A new account, without a wallet, and its keys. */
  caller(): Promise<Caller> {
    return this.service.caller(null);
  }

  /** Sends a request by node:http, because fetch can neither stop in the middle of a body nor send a wrong length. */
  request(
    method: string,
    path: string,
    credential: string | null,
    { chunks = [], chunked = false, key, headers = {} }: Upload = {},
  ): { request: http.ClientRequest; answer: Promise<Answer> } {
    const parts = [...chunks];
    const request = http.request(this.url + path, { method, agent: false });
    if (credential !== null) request.setHeader('X-Api-Key', credential);
    if (key !== undefined) request.setHeader('Idempotency-Key', key);
    if (chunked) request.setHeader('Transfer-Encoding', 'chunked');
    else if (method === 'PUT')
      request.setHeader(
        'Content-Length',
        parts.reduce((sum, part) => sum + part.length, 0),
      );
    for (const [name, value] of Object.entries(headers)) request.setHeader(name, value);
    const answer = new Promise<Answer>((resolve, reject) => {
      request.on('error', reject).on('response', (response) => {
        const received: Buffer[] = [];
        response.on('data', (chunk: Buffer) => received.push(chunk)).on('error', reject);
        response.on('end', () => {
          const bytes = Buffer.concat(received);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            body: parsed(bytes.toString('utf8')),
          });
        });
      });
    });
    for (const part of parts) request.write(part);
    return { request, answer };
  }

  /** Uploads the bytes, under their own digest unless `path` says otherwise. */
  upload(caller: Caller, bytes: Buffer, options: Upload = {}): Promise<Answer> {
    const path = options.path ?? `/v1/artifacts/${sha256(bytes)}`;
    const settings = { chunks: [bytes], key: randomUUID(), ...options };
    const { request, answer } = this.request('PUT', path, caller.keys.worker, settings);
    request.end();
    return answer;
  }

  get(path: string, credential: string | null, method = 'GET'): Promise<Answer> {
    const { request, answer } = this.request(method, path, credential);
    request.end();
    return answer;
  }

  /** Paths of all files of the store, relative to its folder. */
  async files(): Promise<string[]> {
    const entries = await readdir(join(this.folder, 'store'), { recursive: true, withFileTypes: true }).catch(() => []);
    return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
  }

  async close(): Promise<void> {
    await this.service.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export function sha256(bytes: Buffer): Hex {
  return `0x${createHash('sha256').update(bytes).digest('hex')}`;
}
