import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Request } from 'express';

/** For whom a document is fetched. */
interface Asking {
  readonly clientId: string;
  /** The request that needs it; null: none. */
  readonly request: Request | null;
  /** Whether somebody has connected the application; absent: nobody has looked yet, because nothing was fetched. */
  isKnown?: boolean;
}

/** Tells what fetches documents for whom it does so: the library hands on the address alone. */
@Injectable()
export class DocumentAsker {
  private readonly asking = new AsyncLocalStorage<Asking>();
  private readonly visits = new AsyncLocalStorage<Request>();

  get current(): Asking | undefined {
    return this.asking.getStore();
  }

  /** The request of a page of ours, which is not one of the library's. */
  get visit(): Request | null {
    return this.visits.getStore() ?? null;
  }

  /** Runs what may look an application up for a page of ours. */
  visiting<T>(request: Request, work: () => Promise<T>): Promise<T> {
    return this.visits.run(request, work);
  }

  run<T>(asking: Asking, work: () => Promise<T>): Promise<T> {
    return this.asking.run(asking, work);
  }
}
