import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { Controller, Get, HttpCode, Module, Param, Patch, Post, Put, type INestApplication } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, NestFactory } from '@nestjs/core';
import { entities } from '../../src/entities.js';
import { migrations } from '../../src/migrations.js';
import { AccountsService } from '../../src/modules/accounts/accounts.service.js';
import { ApiKeysService } from '../../src/modules/credentials/api-keys/api-keys.service.js';
import { AccountsModule } from '../../src/modules/accounts/accounts.module.js';
import { CredentialsModule } from '../../src/modules/credentials/credentials.module.js';
import { AuthenticationGuard } from '../../src/modules/credentials/guards/authentication.guard.js';
import { RequireScope, type Scope } from '../../src/modules/credentials/scope.js';
import { ScopeGuard } from '../../src/modules/credentials/guards/scope.guard.js';
import { ConfigModule } from '../../src/platform/config/config.module.js';
import type { Environment } from '../../src/platform/config/environment.js';
import { DatabaseModule } from '../../src/platform/database/database.module.js';
import { Transactions } from '../../src/platform/database/transactions.js';
import { ErrorFilter } from '../../src/platform/http/server/error.filter.js';
import { createExpressApp } from '../../src/platform/http/server/express-app.js';
import { InputGuard } from '../../src/platform/http/input/input.guard.js';
import { OperationInput } from '../../src/platform/http/input/operation-input.js';
import { CurrentPrincipal, type Principal } from '../../src/platform/http/principal.js';
import { Public } from '../../src/platform/http/public-route.decorator.js';
import { type RequestOutcome, requestContext } from '../../src/platform/http/request-context.middleware.js';
import { TasktreeExpressAdapter } from '../../src/platform/http/server/tasktree-express-adapter.js';
import { Idempotent } from '../../src/platform/idempotency/idempotent.decorator.js';
import { IdempotencyModule } from '../../src/platform/idempotency/idempotency.module.js';
import { FallbackWindowCounter } from '../../src/platform/rate-limit/counters/fallback-window-counter.js';
import { IpLimitMiddleware } from '../../src/platform/rate-limit/ip-limit.middleware.js';
import { PrincipalLimitGuard } from '../../src/platform/rate-limit/principal-limit.guard.js';
import { RateLimitModule } from '../../src/platform/rate-limit/rate-limit.module.js';
import { SecretsModule } from '../../src/platform/secrets/secrets.module.js';
import { ClockModule } from '../../src/platform/time/clock.module.js';
import { CURRENT_VERSION } from '../../src/platform/versioning/api-versions.js';
import { VersionGuard } from '../../src/platform/versioning/version.guard.js';
import { patientCounter } from './patient.js';

/** What the probe's write does before and after its effect. Specs replace these. */
export const probe: Record<
  'beforeEffect' | 'afterEffect',
  (node: string, transactions: Transactions) => Promise<void>
> = { beforeEffect: () => Promise.resolve(), afterEffect: () => Promise.resolve() };

@Controller('v1')
class ProbeController {
  constructor(private readonly transactions: Transactions) {}

  @Get('whoami')
  @RequireScope('read')
  whoAmI(@CurrentPrincipal() { accountId, credentialId }: Principal) {
    return { account_id: accountId, credential_id: credentialId };
  }

  @Get('tasks/:task_id')
  @RequireScope('read')
  readTask(@Param('task_id') taskId: string) {
    return { task: taskId };
  }

  @Put('tasks/:task_id')
  @RequireScope('worker')
  replaceTask(@Param('task_id') taskId: string) {
    return { task: taskId };
  }

  @Patch('tasks/:task_id')
  @RequireScope('worker')
  changeTask(@Param('task_id') taskId: string) {
    return { task: taskId };
  }

  @Get('open')
  @Public('a route of the specs')
  open() {
    return { open: true };
  }

  @Post('tasks/:task_id/nodes/:node_id/abandon-intents')
  @HttpCode(200)
  @OperationInput({ readsBody: true })
  @RequireScope('worker')
  @Idempotent()
  act(@Param('task_id') task: string, @Param('node_id') node: string) {
    return this.write(task, node);
  }

  @Post('tasks/:task_id/nodes/:node_id/other-intents')
  @HttpCode(200)
  @OperationInput({ readsBody: true })
  @RequireScope('worker')
  @Idempotent({ readsFirst: true })
  actOtherwise(@Param('task_id') task: string, @Param('node_id') node: string) {
    return this.write(task, node);
  }

  private async write(task: string, node: string) {
    const actionId = randomUUID();
    await probe.beforeEffect(node, this.transactions);
    await this.transactions.run((manager) =>
      manager.query('INSERT INTO probe_effects (id, node) VALUES ($1, $2)', [actionId, node]),
    );
    await probe.afterEffect(node, this.transactions);
    return { action_id: actionId, task, node, text: 'ä "quoted" \u2028' };
  }
}

@Module({
  imports: [AccountsModule, CredentialsModule, RateLimitModule],
  controllers: [ProbeController],
  providers: [
    { provide: APP_GUARD, useClass: VersionGuard },
    { provide: APP_GUARD, useExisting: AuthenticationGuard },
    { provide: APP_GUARD, useExisting: PrincipalLimitGuard },
    { provide: APP_GUARD, useExisting: ScopeGuard },
    { provide: APP_GUARD, useClass: InputGuard },
    { provide: APP_FILTER, useClass: ErrorFilter },
  ],
})
class ProbeModule {}

/** A running HTTP service with the real guards, limits, keys and idempotency, around a few test routes. */
export interface ProbeApp {
  app: INestApplication;
  url: string;
  outcomes: RequestOutcome[];
  accounts: AccountsService;
  keys: ApiKeysService;
  /** A new account with one key per scope. */
  newCaller(): Promise<{ accountId: string; keys: Record<Scope, string> }>;
  close(): Promise<void>;
}

/** Starts a probe on a migrated database that has the table `probe_effects`. */
export async function startProbeApp(environment: Environment): Promise<ProbeApp> {
  const adapter = new TasktreeExpressAdapter(createExpressApp(environment.trustedProxies), {
    baseUrl: environment.baseUrl,
    currentVersion: CURRENT_VERSION,
  });
  const imports = [
    ConfigModule.forRoot(environment),
    ClockModule,
    SecretsModule,
    DatabaseModule.forRoot({ entities, migrations }),
    IdempotencyModule,
    ProbeModule,
  ];
  const outcomes: RequestOutcome[] = [];
  const app = await NestFactory.create({ module: class ProbeRoot {}, imports }, adapter, {
    bodyParser: false,
    logger: false,
  });
  const ipLimit = app.get(IpLimitMiddleware);
  app.use(requestContext((outcome) => outcomes.push(outcome)));
  app.use(ipLimit.use.bind(ipLimit));
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  patientCounter(app.get(FallbackWindowCounter));
  const accounts = app.get(AccountsService);
  const keys = app.get(ApiKeysService);
  return {
    app,
    url: `http://127.0.0.1:${port}`,
    outcomes,
    accounts,
    keys,
    newCaller: async () => {
      const account = await accounts.create({ name: `caller ${randomUUID()}` });
      return { accountId: account.id, keys: await keys.createKeySet(account, { name: 'test' }) };
    },
    close: () => app.close(),
  };
}

/** The table that the probe's write changes. */
export const PROBE_TABLE = 'CREATE TABLE probe_effects (id uuid PRIMARY KEY, node text NOT NULL)';
