import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { AgentChanged } from './agent.events.js';
import type { TreesCaughtUp, TreesChanged } from './tree.events.js';

/** Every event by its type. */
interface DomainEventMap {
  agent_changed: AgentChanged;
  trees_changed: TreesChanged;
  trees_caught_up: TreesCaughtUp;
}

export type DomainEvent = DomainEventMap[keyof DomainEventMap];
type Handler<E extends DomainEvent> = (manager: EntityManager, event: E) => Promise<void>;
type Handlers = { [T in keyof DomainEventMap]: Handler<DomainEventMap[T]>[] };

/**
 * Brings facts to modules that their source must not import. Handlers run inside the publisher's transaction, one after
 * the other in the order in which they registered, those of `onLast` after all others; the first that fails fails the
 * publisher, and all of it rolls back.
 */
@Injectable()
export class DomainEvents {
  private readonly handlers = noHandlers();
  private readonly lastHandlers = noHandlers();

  /** To be called in `onModuleInit`, before anything is published. */
  on<T extends keyof DomainEventMap>(type: T, handler: Handler<DomainEventMap[T]>): void {
    this.handlers[type].push(handler);
  }

  /**
   * As `on`, for a handler that locks rows which transactions share: from then on to the commit, they wait for each
   * other.
   */
  onLast<T extends keyof DomainEventMap>(type: T, handler: Handler<DomainEventMap[T]>): void {
    this.lastHandlers[type].push(handler);
  }

  /** @param manager that of the transaction in which the fact was written. Rejects with the first handler's error. */
  async publish<T extends keyof DomainEventMap>(
    manager: EntityManager,
    event: DomainEventMap[T] & { type: T },
  ): Promise<void> {
    for (const handlers of [this.handlers, this.lastHandlers]) {
      for (const handler of handlers[event.type]) await handler(manager, event);
    }
  }
}

function noHandlers(): Handlers {
  return { agent_changed: [], trees_changed: [], trees_caught_up: [] };
}
