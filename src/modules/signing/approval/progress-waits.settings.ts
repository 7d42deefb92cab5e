import { Injectable } from '@nestjs/common';

/** How pages wait for their progress (docs/decisions/events.md#the-service-listens-too). A test replaces them. */
@Injectable()
export class ProgressWaitsSettings {
  /** Milliseconds after which a waiting page is answered, sooner than it gives up and than any proxy cuts the connection. */
  readonly longestMs: number = 10_000;
  /** Pages that may wait in one process, and for actions of one account; others are answered at once. */
  readonly most: number = 2_000;
  readonly mostOfAccount: number = 20;
}
