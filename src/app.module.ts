import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { entities } from './entities.js';
import { migrations } from './migrations.js';
import { AccountModule } from './modules/account/account.module.js';
import { AgentsModule } from './modules/agents/agents.module.js';
import { ArtifactsModule } from './modules/artifacts/artifacts.module.js';
import { AccountsModule } from './modules/accounts/accounts.module.js';
import { CredentialsModule } from './modules/credentials/credentials.module.js';
import { AuthenticationGuard } from './modules/credentials/guards/authentication.guard.js';
import { ConsentModule } from './modules/oauth/consent/consent.module.js';
import { OAuthModule } from './modules/oauth/oauth.module.js';
import { ScopeGuard } from './modules/credentials/guards/scope.guard.js';
import { DeliveriesModule } from './modules/deliveries/deliveries.module.js';
import { EarningsModule } from './modules/earnings/earnings.module.js';
import { EscrowModule } from './modules/escrow/escrow.module.js';
import { IdentitiesModule } from './modules/identities/identities.module.js';
import { InboxModule } from './modules/inbox/inbox.module.js';
import { MeModule } from './modules/me/me.module.js';
import { McpModule } from './modules/mcp/mcp.module.js';
import { MatchingModule } from './modules/matching/matching.module.js';
import { PreparedActionsModule } from './modules/prepared-actions/prepared-actions.module.js';
import { PreviewsModule } from './modules/previews/previews.module.js';
import { QuotesModule } from './modules/quotes/quotes.module.js';
import { ReceiptsModule } from './modules/receipts/receipts.module.js';
import { ReputationModule } from './modules/reputation/reputation.module.js';
import { SigningModule } from './modules/signing/signing.module.js';
import { WebhooksModule } from './modules/webhooks/webhooks.module.js';
import { TasksModule } from './modules/tasks/tasks.module.js';
import { ChainModule } from './platform/chain/chain.module.js';
import { ConfigModule } from './platform/config/config.module.js';
import type { Environment } from './platform/config/environment.js';
import { DatabaseModule } from './platform/database/database.module.js';
import { EventBusModule } from './modules/event-bus/event-bus.module.js';
import { EventFeedModule } from './modules/event-feed/event-feed.module.js';
import { EventsModule } from './modules/events/events.module.js';
import { EgressModule } from './platform/egress/egress.module.js';
import { HealthModule } from './platform/health/health.module.js';
import { InputGuard } from './platform/http/input/input.guard.js';
import { IdempotencyModule } from './platform/idempotency/idempotency.module.js';
import { LoggingModule } from './platform/logging/logging.module.js';
import { MetricsModule } from './platform/metrics/metrics.module.js';
import { PaginationModule } from './platform/pagination/pagination.module.js';
import { PrincipalLimitGuard } from './platform/rate-limit/principal-limit.guard.js';
import { RateLimitModule } from './platform/rate-limit/rate-limit.module.js';
import { SecretsModule } from './platform/secrets/secrets.module.js';
import { ClockModule } from './platform/time/clock.module.js';
import { VersionGuard } from './platform/versioning/version.guard.js';
import { UnknownPageFilter } from './platform/pages/unknown-page.filter.js';
import { PagesModule } from './platform/pages/pages.module.js';

/** The whole service, and everything that every request passes. */
@Module({})
export class AppModule {
  static register(environment: Environment): DynamicModule {
    return {
      module: AppModule,
      imports: [...platform(environment), ...MODULES, ...bus(environment)],
      providers: [
        // The order of checks is fixed (docs/decisions/interface.md#order-of-checks); guards run in the order of this
        // list. Before them: parsing, the per-address limit, route and method. After them: idempotency, then
        // visibility, role and state.
        { provide: APP_GUARD, useClass: VersionGuard },
        { provide: APP_GUARD, useExisting: AuthenticationGuard },
        { provide: APP_GUARD, useExisting: PrincipalLimitGuard },
        { provide: APP_GUARD, useExisting: ScopeGuard },
        { provide: APP_GUARD, useClass: InputGuard },
        { provide: APP_FILTER, useClass: UnknownPageFilter },
      ],
    };
  }
}

const MODULES = [
  AccountsModule,
  CredentialsModule,
  OAuthModule,
  ConsentModule,
  AgentsModule,
  TasksModule,
  QuotesModule,
  EscrowModule,
  EarningsModule,
  InboxModule,
  ArtifactsModule,
  DeliveriesModule,
  ReputationModule,
  IdentitiesModule,
  MatchingModule,
  PreviewsModule,
  PreparedActionsModule,
  SigningModule,
  ReceiptsModule,
  EventFeedModule,
  WebhooksModule,
  AccountModule,
  MeModule,
  McpModule,
];

/** Nothing of the bus is there, and nothing polls for it, where none is configured. */
function bus({ eventsNatsUrl }: Environment) {
  return eventsNatsUrl === null ? [] : [EventBusModule];
}

function platform(environment: Environment) {
  return [
    ConfigModule.forRoot(environment),
    ClockModule,
    LoggingModule,
    SecretsModule,
    PagesModule,
    DatabaseModule.forRoot({ entities, migrations }),
    EgressModule,
    EventsModule,
    ChainModule,
    PaginationModule,
    IdempotencyModule,
    RateLimitModule,
    HealthModule,
    MetricsModule,
  ];
}
