/** Streams to open and events to write; the answer is in `StreamResult`. */
export interface StreamOrder {
  port: number;
  /** Process that answers. */
  pid: number;
  path: string;
  /** Headers of each stream, as lines that end with CRLF. */
  streams: readonly string[];
  databaseUrl: string;
  /** The statement that writes an event. */
  statement: string;
  /** Whom the events are for, in turn. */
  readers: readonly string[];
  /** Events a second; 0: the streams are only kept open. */
  perSecond: number;
  seconds: number;
  /** Frames that one event is to cause. */
  framesPerEvent: number;
}

/** Milliseconds at two shares of all. */
export interface Times {
  p50: number;
  p99: number;
}

export interface StreamResult {
  events: number;
  frames: number;
  /** Frames that have not come within ten seconds. */
  missing: number;
  /** From the commit to the frame at the client. */
  told: Times;
  /** From the commit to the place in the log; of the service only. */
  visible: Times;
  /** CPU of the answering process while events were written or streams kept open, as a share of one processor. */
  processor: number;
  /** Resident memory of the answering process, in MiB, before the streams and when all are open. */
  memory: { before: number; open: number };
  /** As `processor`, before the streams; null where events are written. */
  processorBefore: number | null;
}
