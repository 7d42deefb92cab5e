import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';

/** One ambient transaction: whoever asks for `manager` inside `run` joins it, so a write is one transaction. */
@Injectable()
export class Transactions {
  private readonly current = new AsyncLocalStorage<EntityManager>();

  constructor(private readonly dataSource: DataSource) {}

  /** The running transaction's manager, or one that commits each statement by itself. */
  get manager(): EntityManager {
    return this.current.getStore() ?? this.dataSource.manager;
  }

  /** True inside `run`. */
  get isActive(): boolean {
    return this.current.getStore() !== undefined;
  }

  /** Runs `work` in the ambient transaction, opening one if there is none; an error rolls everything back. */
  run<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    const running = this.current.getStore();
    if (running) return work(running);
    return this.dataSource.transaction((manager) => this.current.run(manager, () => work(manager)));
  }
}
