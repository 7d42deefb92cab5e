import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { Transactions } from '../../../platform/database/transactions.js';
import { clientNetwork } from '../../../platform/rate-limit/client-network.js';
import { Clock } from '../../../platform/time/clock.js';
import { type AuditEntry, type AuditEventName, AuditLog } from '../../accounts/audit/audit-log.js';

/** A transaction that stays open over many calls of the library. */
interface HeldTransaction {
  /** Runs `work` inside it. */
  within<T>(work: () => Promise<T>): Promise<T>;
  /** Runs `work` as the last thing in it; commits when that succeeds, else rolls back and rejects. */
  end(work: () => Promise<void>): Promise<void>;
}

/** One request to the authorization server, while it is answered. */
interface OAuthRequest {
  readonly request: Request;
  /** Milliseconds since the epoch by the wall's clock. What was consumed later than this was consumed by a rival. */
  readonly beganAtMs: number;
  /** What is to be recorded before the answer leaves. */
  readonly entries: AuditEntry[];
  /** What is done last in its transaction. */
  readonly last: (() => Promise<void>)[];
  held: Promise<HeldTransaction> | null;
}

class RolledBack extends Error {}

/**
 * Makes one unit of what the library does with one statement after the other. From the first thing that is used up
 * (a code, a refresh token, the person's answer) everything is one transaction, which ends with the audit rows: a fault
 * of the database loses nothing, and the same request can be sent again.
 */
@Injectable()
export class OAuthRequests {
  private readonly running = new AsyncLocalStorage<OAuthRequest>();

  constructor(
    private readonly transactions: Transactions,
    private readonly audit: AuditLog,
    private readonly clock: Clock,
  ) {}

  /** The request that is being answered; undefined outside of the library's own endpoints. */
  get current(): OAuthRequest | undefined {
    return this.running.getStore();
  }

  /** When the running request began, or now. */
  get beganAt(): Date {
    return new Date(this.current?.beganAtMs ?? this.clock.wallMs());
  }

  /** True while the running request holds a transaction: nothing outside may be waited for. */
  get isHolding(): boolean {
    return this.current?.held != null;
  }

  /** Answers one request of the library. */
  run<T>(request: Request, work: () => Promise<T>): Promise<T> {
    const current: OAuthRequest = { request, beganAtMs: this.clock.wallMs(), entries: [], last: [], held: null };
    return this.running.run(current, async () => {
      try {
        return await work();
      } finally {
        // Whoever throws where the library does not look never comes to `end`, and would keep a connection for good.
        await this.rollBack(current);
      }
    });
  }

  /** Notes what is to be recorded with the running request. */
  note(entry: Omit<AuditEntry, 'requestId'>): void {
    const { current } = this;
    if (!current) throw new Error('There is no request of the authorization server to record this with');
    const { ip, context } = current.request;
    current.entries.push({ ...entry, requestId: context.requestId, network: clientNetwork(ip) });
  }

  /** What was noted of this request; undefined when nothing of this kind was. */
  noted(event: AuditEventName): AuditEntry | undefined {
    return this.current?.entries.find((entry) => entry.event === event);
  }

  /** Has `work` done as the last thing of the request, if the request succeeds. */
  atEnd(work: () => Promise<void>): void {
    this.current?.last.push(work);
  }

  /** Runs a statement: in the transaction of the request if it has one. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    const held = this.current?.held;
    return held ? (await held).within(work) : work();
  }

  /** As `within`, and whatever follows in this request is in the same transaction. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    const { current } = this;
    if (current) current.held ??= openTransaction(this.transactions);
    return this.within(work);
  }

  /**
   * Ends the running request: records what was noted and commits.
   * @param failed true: the answer is a fault of ours, or another after which nothing of the transaction may stay.
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
      // It was rolled back, by us or with its connection.
    }
  }
}

/** Opens a transaction that waits for its last work. Rejects when the database cannot be reached. */
function openTransaction(transactions: Transactions): Promise<HeldTransaction> {
  return new Promise((resolve, reject) => {
    let finish: (work: () => Promise<void>) => void = () => undefined;
    const last = new Promise<() => Promise<void>>((settle) => {
      finish = settle;
    });
    const over = transactions.run(async () => {
      // The ambient transaction belongs to this place in the program; work from elsewhere must be brought here.
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
