import { Module } from '@nestjs/common';
import { ThrottlerModule } from '@nestjs/throttler';
import { Environment } from '../config/environment.js';
import { Clock } from '../time/clock.js';
import { AddressBudget } from './address-budget.js';
import { AuthenticationFailures } from './authentication-failures.js';
import { BodyBytesBudget } from './body-bytes-budget.js';
import { DatabaseWindowCounter } from './counters/database-window-counter.js';
import { FallbackWindowCounter } from './counters/fallback-window-counter.js';
import { IpLimitMiddleware } from './ip-limit.middleware.js';
import { PrincipalLimitGuard } from './principal-limit.guard.js';
import { principalLimits } from './principal-limits.js';
import { RateLimitStore } from './rate-limit.store.js';
import { RedisWindowCounter } from './counters/redis-window-counter.js';

/** The shared store behind all limits; it counts in Redis when there is one, else in Postgres. */
@Module({
  providers: [
    {
      provide: FallbackWindowCounter,
      inject: [Environment, Clock],
      useFactory: ({ redisUrl, databaseUrl }: Environment, clock: Clock) =>
        new FallbackWindowCounter(
          redisUrl === null ? new DatabaseWindowCounter(databaseUrl) : new RedisWindowCounter(redisUrl),
          clock,
        ),
    },
    RateLimitStore,
  ],
  exports: [RateLimitStore, FallbackWindowCounter],
})
class RateLimitStoreModule {}

/** The limits of the service: per client address, per failed authentication, per credential and account. */
@Module({
  imports: [
    RateLimitStoreModule,
    ThrottlerModule.forRootAsync({
      imports: [RateLimitStoreModule],
      inject: [Environment, RateLimitStore],
      useFactory: (environment: Environment, storage: RateLimitStore) => ({
        storage,
        throttlers: principalLimits(environment).map(({ name, quota, windowMs }) => {
          return { name, limit: quota, ttl: windowMs };
        }),
      }),
    }),
  ],
  providers: [AddressBudget, AuthenticationFailures, BodyBytesBudget, IpLimitMiddleware, PrincipalLimitGuard],
  exports: [AddressBudget, AuthenticationFailures, IpLimitMiddleware, PrincipalLimitGuard, RateLimitStoreModule],
})
export class RateLimitModule {}
