import { Global, Module } from '@nestjs/common';
import { RateLimitModule } from '../rate-limit/rate-limit.module.js';
import { AnswerBudget } from './answer-budget.js';
import { IdempotencyRecords } from './idempotency-records.js';
import { IdempotencyService } from './idempotency.service.js';
import { IdempotencySweeper } from './idempotency.sweeper.js';

/** Global, because Nest makes the interceptor of `@Idempotent()` in the module of the controller that uses it. */
@Global()
@Module({
  imports: [RateLimitModule],
  providers: [AnswerBudget, IdempotencyRecords, IdempotencyService, IdempotencySweeper],
  exports: [IdempotencyService],
})
export class IdempotencyModule {}
