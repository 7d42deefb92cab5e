import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

/** Marks a route whose answer is bound to an Idempotency-Key. */
export const IdempotentRoute = Reflector.createDecorator<true>();

/**
 * The route needs an `Idempotency-Key` and runs in one database transaction that also keeps its answer; the same
 * request with the same key gets that answer again (spec: Limits, idempotency rules). All effects of the handler must
 * be in that transaction (`Transactions.manager`).
 */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(IdempotentRoute(true), UseInterceptors(IdempotencyInterceptor));
