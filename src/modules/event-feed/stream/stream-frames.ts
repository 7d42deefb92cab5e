/** What a frame tells of an event. */
interface FramedEvent {
  readonly id: string;
  readonly type: string;
  /** JSON, which has no line break. */
  readonly document: string;
}

/** A line that readers ignore; it shows that the other end is there. */
export const HEARTBEAT = ':\n\n';

/** An event as `text/event-stream` has it. */
export function frameOf({ id, type, document }: FramedEvent): string {
  return `id: ${id}\nevent: ${type}\ndata: ${document}\n\n`;
}

/**
 * What a stream begins with: bytes at once, and after how many milliseconds to connect anew.
 * @param id where the stream begins, for a reader that has no event yet when it connects anew; a frame without data sets the
 * id and is no event. Null where the reader has named it.
 */
export function firstFrame(retryMs: number, id: string | null): string {
  return `: tasktree events\nretry: ${retryMs}\n${id === null ? '' : `id: ${id}\n`}\n`;
}
