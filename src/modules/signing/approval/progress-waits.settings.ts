import { Injectable } from '@nestjs/common';

/** How pages wait for their progress (docs/decisions/events.md#the-service-listens-too). A test replaces them. */
@Injectable()
export class ProgressWaitsSettings {
  /** Milliseconds after which a waiting page is answered, sooner than it gives up and than any proxy cuts the connection. */
  readonly longestMs: number = 10_000;
  /** Milliseconds after which a page is answered that cannot be told of news: so often, all pages would ask. */
  readonly pauseMs: number = 4_000;
  /** Pages that may wait for news in one process, and for actions of one account. */
  readonly most: number = 2_000;
  readonly mostOfAccount: number = 20;
}
