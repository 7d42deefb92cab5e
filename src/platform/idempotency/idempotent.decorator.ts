import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { IdempotencyInterceptor, type IdempotentOptions, IdempotentRoute } from './idempotency.interceptor.js';

/**
 * The route needs an `Idempotency-Key`, and all that its handler writes is one database transaction that also keeps the
 * answer; the same request with the same key gets that answer again (docs/decisions/http.md#idempotency-keys). The
 * transaction opens with the handler's first `Transactions.run`, and all its effects must be inside one: a statement
 * that writes elsewhere is refused. The handler must ask the chain before that; afterwards it is refused.
 */
export const Idempotent = (options: IdempotentOptions = {}): MethodDecorator =>
  applyDecorators(IdempotentRoute(options), UseInterceptors(IdempotencyInterceptor));
