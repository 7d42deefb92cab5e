/** What an event is about. */
export interface EventSubject {
  readonly kind:
    | 'task'
    | 'quote'
    | 'node'
    | 'delivery'
    | 'receipt'
    | 'agent'
    | 'action'
    | 'app'
    | 'api_key'
    | 'wallet'
    | 'webhook_endpoint';
  readonly id: string;
  /** The task that it belongs to; for a task its own id. */
  readonly taskId?: string;
}

/** What the documents say of one type of event. */
export interface DescribedEvent<Data> {
  /** One sentence: what has happened. */
  readonly says: string;
  readonly example: Data;
  /** A subject, as an example, where it is of another kind than those of the group. */
  readonly subject?: EventSubject;
}

/** Types of events that say the same of the same kind of subject. */
export interface EventGroup<Events> {
  /** Class of their data, from which its schema is made. */
  readonly data: new () => object;
  /** A subject, as an example. */
  readonly subject: EventSubject;
  /** True when blocks cause them, so that they name a place on the chain. */
  readonly isOfTheChain?: boolean;
  readonly types: { readonly [T in keyof Events]: DescribedEvent<Events[T]> };
}
