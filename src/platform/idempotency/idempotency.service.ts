import { timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { QueryFailedError } from 'typeorm';
import { Environment } from '../config/environment.js';
import type { Ask } from '../database/batch/held-statements.js';
import type { Beginning } from '../database/late-transaction.js';
import { Transactions } from '../database/transactions.js';
import { ApiError } from '../http/api-error.js';
import type { RawJson } from '../http/raw-json.js';
import { AnswerBudget } from './answer-budget.js';
import { IdempotencyRecords, type StoredAnswer } from './idempotency-records.js';
import { InFlightMutations } from './in-flight-mutations.js';

/** A request and what its key is bound to. */
export interface IdempotentRequest {
  accountId: string;
  operationId: string;
  /** 32 bytes: principal, operation, key. */
  scope: Buffer;
  /** 32 bytes: canonical path, body. */
  fingerprint: Buffer;
  version: string;
  /** Whether the request named its version; only then another version is another request. */
  versionNamed: boolean;
  /** True: its handler may begin before it is known whether the key has an answer (`IdempotentOptions`). */
  readsFirst?: boolean;
}

/** What the caller gets: `text` are the very bytes that were stored. */
export interface IdempotentAnswer {
  status: 200 | 409;
  text: string;
  headers: Readonly<Record<string, string>>;
  version: string;
  replayed: boolean;
}

type Result = Pick<IdempotentAnswer, 'status' | 'text' | 'headers'>;

/** Thrown when the key has an answer already, which ends what the handler was about to do. */
class AnsweredAlready extends Error {
  constructor(readonly answer: StoredAnswer) {
    super('The key was answered meanwhile');
  }
}

/** Carries a handler's refusal that is to be stored out of the transaction that it rolls back. */
class HandlerRefused extends Error {
  constructor(readonly refusal: ApiError) {
    super(refusal.message);
  }
}

interface Outcome {
  answer: StoredAnswer;
  executed: boolean;
}

const MAX_CLAIM_ATTEMPTS = 4;
/** How long a request waits for an equal one, here and in other processes. */
const WAIT_MS = 3_000;
const MAX_IN_FLIGHT_PER_ACCOUNT = 10;

/**
 * Executes a keyed request exactly once. Record, effects and answer are one transaction: whatever happens to the
 * process, either all three exist or none (docs/decisions/http.md#one-transaction-per-key). It opens with the handler's
 * first write and begins by taking the key, so a handler that waits for the chain holds no connection, and equal
 * requests of several processes may read and check beside each other: only one of them comes to write.
 */
@Injectable()
export class IdempotencyService {
  private readonly inFlight = new InFlightMutations<Outcome>(MAX_IN_FLIGHT_PER_ACCOUNT, WAIT_MS);

  constructor(
    private readonly transactions: Transactions,
    private readonly records: IdempotencyRecords,
    private readonly environment: Environment,
    private readonly answers: AnswerBudget,
  ) {}

  /**
   * Runs `handler`, or gives back what it answered when the key was first used.
   * Kept: answers and refusals with status 409 (whose other effects are undone). Every other error undoes everything
   * and leaves the key free.
   * @throws ApiError `idempotency_key_conflict`, `idempotency_in_progress`, `rate_limited`, `quota_exceeded`, and what
   * `handler` throws.
   */
  async execute(request: IdempotentRequest, handler: () => Promise<RawJson>): Promise<IdempotentAnswer> {
    const run = await this.inFlight.run(request.scope.toString('base64'), request.accountId, () =>
      this.lead(request, handler),
    );
    if (run === 'timeout') throw inProgress();
    if (run === 'busy') throw tooManyAtOnce();
    const { answer, executed } = run.outcome;
    if (run.led && executed) {
      void this.answers.count(request.accountId, Buffer.byteLength(answer.text));
      return { ...answer, replayed: false };
    }
    if (!answersThe(request, answer)) throw keyConflict();
    return { ...answer, replayed: true };
  }

  /** Looks the key up and runs the handler: beside each other when the handler may begin before the answer is known. */
  private async lead(request: IdempotentRequest, handler: () => Promise<RawJson>): Promise<Outcome> {
    const looked = this.lookUp(request);
    if (!request.readsFirst) return (await looked) ?? this.perform(request, handler);
    const performed = this.perform(request, handler, looked);
    // When the key has an answer, nobody waits for the handler, which ends at the latest before it asks or writes.
    performed.catch(() => undefined);
    return (await looked) ?? performed;
  }

  private async lookUp(request: IdempotentRequest): Promise<Outcome | null> {
    const known = await this.answerOf(request);
    if (known === null) this.answers.requireRoom(request.accountId);
    return known;
  }

  /**
   * A refusal rolls back the whole transaction and is stored by another one, so that answers, which are nearly all,
   * need no savepoint. If an equal request takes the key in between, its answer is the key's, and this request gets it.
   */
  private async perform(
    request: IdempotentRequest,
    handler: () => Promise<RawJson>,
    looked?: Promise<Outcome | null>,
  ): Promise<Outcome> {
    const cleared = looked?.then((known) => {
      if (known) throw new AnsweredAlready(known.answer);
    });
    try {
      return await this.claimAndExecute(
        request,
        async () => {
          const { text, headers } = await handler().catch(markRefusal);
          return { status: 200, text, headers };
        },
        cleared,
      );
    } catch (error) {
      await cleared;
      if (error instanceof HandlerRefused) {
        const { refusal } = error;
        const result = { status: 409 as const, text: JSON.stringify(refusal.body()), headers: refusal.headers };
        return this.claimAndExecute(request, () => Promise.resolve(result));
      }
      // The reason of the failure may be an equal request of another process, which has answered meanwhile.
      const given = await this.answerOf(request).catch(() => null);
      if (given) return given;
      throw error;
    }
  }

  private async answerOf({ scope }: IdempotentRequest): Promise<Outcome | null> {
    const answer = await this.records.answerOf(this.transactions, scope);
    return answer && { answer, executed: false };
  }

  /** One transaction: the key, what `produce` does, and the answer it gives; or the answer the key already has. */
  private async claimAndExecute(
    request: IdempotentRequest,
    produce: () => Promise<Result>,
    cleared?: Promise<void>,
  ): Promise<Outcome> {
    const execute = async (): Promise<Outcome> => {
      const answer = { ...(await produce()), version: request.version, fingerprint: request.fingerprint };
      await this.transactions.run((manager) => this.records.complete(manager, request.scope, answer));
      return { answer, executed: true };
    };
    try {
      return await this.transactions.unit(execute, this.beginning(request, cleared));
    } catch (error) {
      if (error instanceof AnsweredAlready) return { answer: error.answer, executed: false };
      throw error;
    }
  }

  /** The transaction begins by taking the key. It waits while another transaction holds it. */
  private beginning(request: IdempotentRequest, cleared?: Promise<void>): Beginning {
    const { idempotencyRetentionSeconds: retention } = this.environment;
    const statement = this.records.reservation(request, WAIT_MS, retention);
    return {
      ...(cleared && { cleared }),
      statement,
      accepts: isReserved,
      retry: (ask) => this.claim(ask, request),
      failure: (error) => (isLockTimeout(error) ? inProgress() : error),
    };
  }

  /**
   * Takes a key that was not free at first, where that is still possible.
   * @throws AnsweredAlready when it has an answer.
   */
  private async claim(ask: Ask, request: IdempotentRequest): Promise<void> {
    for (let attempt = 1; attempt < MAX_CLAIM_ATTEMPTS; attempt++) {
      const stored = await this.records.find(ask, request.scope);
      if (stored) throw new AnsweredAlready(stored);
      // The holder rolled back, or its record has expired and is gone now: the key is free again.
      const { statement } = this.beginning(request);
      if (isReserved(await ask(statement))) return;
    }
    throw inProgress();
  }
}

/** Throws what a handler threw, a 409 as HandlerRefused, because it is stored. The key's own 409s are never stored. */
function markRefusal(error: unknown): never {
  throw error instanceof ApiError && error.status === 409 ? new HandlerRefused(error) : error;
}

/**
 * True when the stored answer is that of the same request; the version counts only when this request named one
 * (docs/decisions/http.md#idempotency-keys).
 */
function answersThe(request: IdempotentRequest, stored: StoredAnswer): boolean {
  const sameVersion = !request.versionNamed || request.version === stored.version;
  return timingSafeEqual(request.fingerprint, stored.fingerprint) && sameVersion;
}

/** A reservation has a row when it took the key. */
function isReserved({ rows }: pg.QueryResult): boolean {
  return rows.length === 1;
}

function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof QueryFailedError)) return false;
  const driverError: Error & { code?: unknown } = error.driverError;
  return driverError.code === '55P03';
}

/**
 * One constant for every cause, so that it tells nothing about the first request
 * (docs/decisions/http.md#idempotency-keys).
 */
function keyConflict(): ApiError {
  return new ApiError(
    'idempotency_key_conflict',
    'This Idempotency-Key was already used with another request.',
    'Use a new key for a new request, and the same key only to repeat the very same request.',
  );
}

function inProgress(): ApiError {
  return new ApiError(
    'idempotency_in_progress',
    'A request with this Idempotency-Key is still running.',
    'Repeat the request with the same key in a moment.',
    { 'Retry-After': '1' },
  );
}

function tooManyAtOnce(): ApiError {
  return new ApiError(
    'rate_limited',
    `More than ${MAX_IN_FLIGHT_PER_ACCOUNT} writes of this account are running at once.`,
    'Wait for the running ones, then repeat the request with the same key.',
    { 'Retry-After': '1', 'X-Limit-Remaining': '0' },
  );
}
