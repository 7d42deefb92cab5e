import type { Type } from '@nestjs/common';
import type { EventSubject } from './event.js';

/** What the documents say of one type of event. */
export interface DescribedEvent<Data> {
  /** One sentence: what has happened. */
  readonly says: string;
  readonly example: Data;
}

/** Types of events that are about the same kind of subject and say the same of it. */
export interface EventGroup<Events, Data = Events[keyof Events]> {
  /** Class of their data, from which its schema is made. */
  readonly data: Type<Data>;
  /** A subject, as an example. */
  readonly subject: EventSubject;
  readonly types: { readonly [T in keyof Events]: DescribedEvent<Events[T]> };
}
