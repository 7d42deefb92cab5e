import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/** Marks a route whose answer is bound to an Idempotency-Key. */
export const IdempotentRoute = Reflector.createDecorator<true>();

/**
 * The route needs an `Idempotency-Key`, and all that its handler writes is one database transaction that also keeps the
 * answer; the same request with the same key gets that answer again (docs/decisions/http.md#idempotency-keys). The
 * transaction opens with the handler's first `Transactions.run`, and all its effects must be inside one: a statement
 * that writes elsewhere is refused. The handler must ask the chain before that; afterwards it is refused.
 */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(IdempotentRoute(true), UseInterceptors(IdempotencyInterceptor));
