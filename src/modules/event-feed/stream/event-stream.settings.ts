import { Injectable } from '@nestjs/common';

/** The times and sizes of streams (docs/decisions/events.md#stream). A test replaces them. */
@Injectable()
export class EventStreamSettings {
  /** Milliseconds from one comment to the next, by which both ends and what is between them see that the other is there. */
  readonly heartbeatMs: number = 15_000;
  /** Milliseconds after which a stream ends, so that no gateway has to cut it. */
  readonly lifetimeMs: number = 600_000;
  /** Milliseconds that the last bytes of an ended stream may take on their way. */
  readonly graceMs: number = 2_000;
  /** Milliseconds from one look for new events to the next, for a notification that was lost. */
  readonly pollMs: number = 1_000;
  /** Bytes that may wait for a reader; whoever has more to come is cut off, and goes on where it stopped. */
  readonly bufferedBytes: number = 256 * 1024;
  /** Streams that one credential may have open at one process. */
  readonly perCredential: number = 3;
}
