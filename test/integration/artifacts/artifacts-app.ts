import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Module, type INestApplication } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { DataSource } from 'typeorm';
import type { Hex } from '../../../libs/kernel/src/index.js';
import { entities } from '../../../src/entities.js';
import { migrations } from '../../../src/migrations.js';
import { ArtifactsModule } from '../../../src/modules/artifacts/artifacts.module.js';
import { Custody } from '../../../src/modules/artifacts/custody/custody.service.js';
import { AccountsService } from '../../../src/modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../../src/modules/credentials/api-keys/api-keys.service.js';
import { AccountsModule } from '../../../src/modules/accounts/accounts.module.js';
import { CredentialsModule } from '../../../src/modules/credentials/credentials.module.js';
import { AuthenticationGuard } from '../../../src/modules/credentials/guards/authentication.guard.js';
import type { Scope } from '../../../src/modules/credentials/scope.js';
import { ScopeGuard } from '../../../src/modules/credentials/guards/scope.guard.js';
import { ConfigModule } from '../../../src/platform/config/config.module.js';
import type { Environment } from '../../../src/platform/config/environment.js';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { ErrorFilter } from '../../../src/platform/http/server/error.filter.js';
import { createExpressApp } from '../../../src/platform/http/server/express-app.js';
import { InputGuard } from '../../../src/platform/http/input/input.guard.js';
import { requestContext } from '../../../src/platform/http/request-context.middleware.js';
import { TasktreeExpressAdapter } from '../../../src/platform/http/server/tasktree-express-adapter.js';
import { MetricsModule } from '../../../src/platform/metrics/metrics.module.js';
import { IdempotencyModule } from '../../../src/platform/idempotency/idempotency.module.js';
import { PrincipalLimitGuard } from '../../../src/platform/rate-limit/principal-limit.guard.js';
import { RateLimitModule } from '../../../src/platform/rate-limit/rate-limit.module.js';
import { SecretsModule } from '../../../src/platform/secrets/secrets.module.js';
import { ClockModule } from '../../../src/platform/time/clock.module.js';
import { Clock } from '../../../src/platform/time/clock.js';
import { CURRENT_VERSION } from '../../../src/platform/versioning/api-versions.js';
import { VersionGuard } from '../../../src/platform/versioning/version.guard.js';
import { useUriVersions } from '../../../src/app.setup.js';
import { createMigratedDatabase } from '../../support/database.js';
import { testEnvironment } from '../../support/test-environment.js';
import { SteppingClock } from '../../support/stepping-clock.js';

@Module({
  imports: [AccountsModule, CredentialsModule, RateLimitModule, ArtifactsModule],
  providers: [
    { provide: APP_GUARD, useClass: VersionGuard },
    { provide: APP_GUARD, useExisting: AuthenticationGuard },
    { provide: APP_GUARD, useExisting: PrincipalLimitGuard },
    { provide: APP_GUARD, useExisting: ScopeGuard },
    { provide: APP_GUARD, useClass: InputGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
class ArtifactsTestModule {}

export interface Caller {
  accountId: string;
  keys: Record<Scope, string>;
}

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

/** The routes of artifacts with the real guards, idempotency and store, on their own database and folder. */
export class ArtifactsApp {
  readonly clock = new SteppingClock();
  private app!: INestApplication;
  dataSource!: DataSource;
  custody!: Custody;
  url = '';
  folder = '';

  static async start(overrides: Partial<Environment> = {}): Promise<ArtifactsApp> {
    const { url, dataSource } = await createMigratedDatabase();
    const started = new ArtifactsApp();
    started.dataSource = dataSource;
    started.folder = await mkdtemp(join(tmpdir(), 'tasktree-artifacts-'));
    const environment = testEnvironment(url, { artifactDir: join(started.folder, 'store'), ...overrides });
    const adapter = new TasktreeExpressAdapter(createExpressApp([]), {
      baseUrl: environment.baseUrl,
      currentVersion: CURRENT_VERSION,
    });
    const testing = await Test.createTestingModule({
      imports: [
        ConfigModule.forRoot(environment),
        ClockModule,
        SecretsModule,
        DatabaseModule.forRoot({ entities, migrations }),
        IdempotencyModule,
        MetricsModule,
        ArtifactsTestModule,
      ],
    })
      .overrideProvider(Clock)
      .useValue(started.clock)
      .compile();
    const app = testing.createNestApplication(adapter, { bodyParser: false, logger: false });
    useUriVersions(app);
    app.use(requestContext(() => undefined));
    await app.listen(0, '127.0.0.1');
    const { port } = app.getHttpServer().address() as AddressInfo;
    return Object.assign(started, { app, url: `http://127.0.0.1:${port}`, custody: app.get(Custody) });
  }

  part<T>(type: abstract new (...args: any[]) => T): T {
    return this.app.get<T>(type, { strict: false });
  }

  get server(): http.Server {
    return this.app.getHttpServer();
  }

  async caller(): Promise<Caller> {
    const account = await this.app.get(AccountsService).create({ name: `caller ${randomUUID()}` });
    return {
      accountId: account.id,
      keys: await this.app.get(ApiKeysService).createKeySet(account, { name: 'test' }),
    };
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
          resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes, body: parsed(bytes) });
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
    await this.app.close();
    await this.dataSource.destroy();
    await rm(this.folder, { recursive: true, force: true });
  }
}

export function sha256(bytes: Buffer): Hex {
  return `0x${createHash('sha256').update(bytes).digest('hex')}`;
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}
