import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, type Observable, of } from 'rxjs';
import type { ContextRequest } from '../http/principal.js';
import { RawJson } from '../http/raw-json.js';
import { canonicalPath, requestFingerprint, scopeHash } from './fingerprint.js';
import { idempotencyKeyOf } from './idempotency-key.js';
import { type IdempotentAnswer, IdempotencyService, type IdempotentRequest } from './idempotency.service.js';
import { StoredRefusal } from './stored-refusal.js';

/** How the handler of an idempotent route begins. */
export interface IdempotentOptions {
  /**
   * True: the handler begins by reading, so it may run before it is known whether its key has an answer; when the key
   * has one, what it has read is dropped. It must change nothing outside of `Transactions.run`, and ask no other server
   * but through `RpcEndpoint`: both wait until the answer of the key is known.
   */
  readonly readsFirst?: boolean;
}

/** Marks a route whose answer is bound to an Idempotency-Key. */
export const IdempotentRoute = Reflector.createDecorator<IdempotentOptions>();

const REPLAYED = { 'Idempotent-Replayed': 'true' };

/**
 * Puts the idempotency record around a handler. Guards ran before: credential, scope, account status, limits and the
 * shape of the request are checked anew for every replay.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotency: IdempotencyService,
    private readonly reflector: Reflector,
  ) {}

  /** @throws ApiError of the key, of the record (409, 429), or of the handler. */
  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<RawJson>> {
    const request = context.switchToHttp().getRequest<ContextRequest>();
    request.context.idempotencyOutcome = 'rejected';
    const handler = context.getHandler();
    const { readsFirst = false } = this.reflector.get(IdempotentRoute, handler) ?? {};
    const idempotent = { ...describe(request, handler.name), readsFirst };
    const answer = await this.idempotency.execute(idempotent, async () => {
      // `handle` is called inside the unit, so that the handler inherits it (AsyncLocalStorage).
      const result: unknown = await lastValueFrom(next.handle());
      return result instanceof RawJson ? result : new RawJson(JSON.stringify(result));
    });
    return of(present(answer, request));
  }
}

/** Everything that a key is bound to. rule: docs/decisions/http.md#idempotency-keys */
function describe(request: ContextRequest, operationId: string): IdempotentRequest {
  const key = idempotencyKeyOf(request.headersDistinct['idempotency-key']);
  const { principal, requestDigest, version, versionNamed } = request.context;
  const template: unknown = request.route?.path;
  if (!principal || !requestDigest || typeof template !== 'string') {
    throw new Error(`${operationId} is idempotent but has no principal, body digest or route`);
  }
  return {
    accountId: principal.accountId,
    operationId,
    scope: scopeHash(principal.accountId, operationId, key),
    fingerprint: requestFingerprint(canonicalPath(template, request.params), requestDigest),
    version,
    versionNamed,
  };
}

/** The answer as it is sent: the stored bytes. Throws a refusal, whose body is the stored bytes, too. */
function present(answer: IdempotentAnswer, request: ContextRequest): RawJson {
  const outcome = answer.status === 200 ? 'executed' : 'refused';
  request.context.idempotencyOutcome = answer.replayed ? 'replayed' : outcome;
  request.context.version = answer.version;
  const headers = answer.replayed ? { ...answer.headers, ...REPLAYED } : answer.headers;
  if (answer.status === 409) throw StoredRefusal.parse(answer.text, headers);
  return new RawJson(answer.text, headers);
}
