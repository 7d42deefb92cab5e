import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Transactions } from '../../../platform/database/transactions.js';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import { Clock } from '../../../platform/time/clock.js';
import { type AuditEntry, type AuditEventName, AuditLog } from '../../accounts/audit/audit-log.js';

/** A transaction that stays open over several calls of the library. */
interface HeldTransaction {
  /** Runs `work` in the transaction. */
  within<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` as the last step; commits when it succeeds, otherwise rolls back and rejects. */
  end(work: () => Promise<void>): Promise<void>;
}

/** One request to the authorization server, while it is answered. */
interface OAuthRequest {
  readonly request: Request;
  /**
   * Start of the request, milliseconds since the epoch by the wall clock. A code or token consumed after this was
   * consumed by a concurrent request.
   */
  readonly beganAtMs: number;
  /** Audit entries to write before the answer is sent. */
  readonly entries: AuditEntry[];
  /** Work to do last in the request's transaction. */
  readonly last: (() => Promise<void>)[];
  /** What the look-up of an application by its document ended with, by its id; the library looks it up again. */
  readonly failedLookUps: Map<string, unknown>;
  held: Promise<HeldTransaction> | null;
}

class RolledBack extends Error {}

/**
 * Makes one transaction of the library's separate statements. It begins when a code, a refresh token or the person's
 * answer is first consumed, and ends with the audit rows. So a database fault loses nothing, and the same request can
 * be sent again.
 */
@Injectable()
export class OAuthRequests {
  private readonly running = new AsyncLocalStorage<OAuthRequest>();

  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** The request that is being answered; undefined outside the library's endpoints. */
  get current(): OAuthRequest | undefined {
    return this.running.getStore();
  }

  /** Start of the running request; now when there is none. */
  get beganAt(): Date {
    return new Date(this.current?.beganAtMs ?? this.clock.wallMs());
  }

  /** True while the running request holds a transaction; then it must not wait for anything outside. */
  get isHolding(): boolean {
    return this.current?.held != null;
  }

  /** Answers one request of the library. */
  run<T>(request: Request, work: () => Promise<T>): Promise<T> {
    const current: OAuthRequest = {
      request,
      beganAtMs: this.clock.wallMs(),
      entries: [],
      last: [],
      failedLookUps: new Map(),
      held: null,
    };
    return this.running.run(current, async () => {
      try {
        return await work();
      } finally {
        // An error that the library does not handle never reaches `end`, and its transaction would keep a connection
        // for good.
        await this.rollBack(current);
      }
    });
  }

  /** Adds an audit entry to the running request. */
  note(entry: Omit<AuditEntry, 'requestId'>): void {
    const { current } = this;
    if (!current) throw new Error('There is no request of the authorization server to record this with');
    const { ip, context } = current.request;
    current.entries.push({ ...entry, requestId: context.requestId, network: clientNetwork(ip) });
  }

  /** The running request's audit entry for this event; undefined when there is none. */
  noted(event: AuditEventName): AuditEntry | undefined {
    return this.current?.entries.find((entry) => entry.event === event);
  }

  /** Schedules `work` as the last step of the request, if the request succeeds. */
  atEnd(work: () => Promise<void>): void {
    this.current?.last.push(work);
  }

  /** Runs a statement in the transaction of the request, if it has one. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const held = this.current?.held;
    return held ? (await held).within(work) : work();
  }

  /** As `within`, but opens a transaction if needed; everything that follows in this request is in it. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const { current } = this;
    if (current) current.held ??= openTransaction(this.transactions);
    return this.within(work);
  }

  /**
   * Ends the running request: records what was noted and commits.
   * @param failed true: the transaction must be rolled back, because the answer is a fault of the service or a similar
   *   error.
   */
  async end(failed: boolean): Promise<void> {
    const { current } = this;
    if (!current) return;
    if (failed) await this.rollBack(current);
    const record = async () => {
      for (const entry of current.entries) await this.audit.record(entry);
      if (!failed) for (const work of current.last) await work();
    };
    const { held } = current;
    current.held = null;
    if (held) await (await held).end(record);
    else if (current.entries.length > 0) await this.transactions.run(record);
  }

  private async rollBack(current: OAuthRequest): Promise<void> {
    const { held } = current;
    current.held = null;
    if (held === null) return;
    try {
      await (await held).end(() => Promise.reject(new RolledBack()));
    } catch {
      // The transaction was rolled back, here or with its connection.
    }
  }
}

/** Opens a transaction that stays open until `end`. Rejects when the database cannot be reached. */
function openTransaction(transactions: Transactions): Promise<HeldTransaction> {
  return new Promise((resolve, reject) => {
    let finish: (work: () => Promise<void>) => void = () => undefined;
    const last = new Promise<() => Promise<void>>((settle) => {
      finish = settle;
    });
    const over = transactions.run(async () => {
      // The ambient transaction belongs to this asynchronous scope; work from elsewhere must be run in it.
      const scope = new AsyncResource('OAuthTransaction');
      resolve({
        within: (work) => scope.runInAsyncScope(work),
        end: (work) => {
          finish(work);
          return over;
        },
      });
      const work = await last;
      await work();
    });
    over.catch(reject);
  });
}
