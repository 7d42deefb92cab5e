import type { components } from '../generated/interface.js';
import { EventStream } from '../events/resumed-stream.js';
import { type CallOptions, type Connection, taken } from '../http/connection.js';
import { pause } from '../http/retrying-fetch.js';

/** An action and what has become of it. */
export type ActionRecord = components['schemas']['Action'];

export interface WaitOptions extends CallOptions {
  /** `confirmed`: a block has executed it. `final`: so many blocks have followed that it stays. */
  until?: 'confirmed' | 'final';
  /** Milliseconds; absent: for as long as it takes, or until the signal. */
  timeoutMs?: number;
}

/** The action has ended without being executed. */
export class ActionNotExecuted extends Error {
  override readonly name = 'ActionNotExecuted';

  constructor(readonly record: ActionRecord) {
    super(`The action ${record.action_id} is ${record.status}`);
  }
}

/** Statuses that the wish is granted with. */
const GRANTED: Readonly<Record<string, readonly string[]>> = {
  signed: ['signed', 'submitted', 'confirmed', 'final'],
  confirmed: ['confirmed', 'final'],
  final: ['final'],
};
const ENDED = ['failed', 'declined', 'expired', 'superseded'];
const NEWS = 'signed submitted failed confirmed finalized declined expired superseded'
  .split(' ')
  .map((name) => `action.${name}`);
/** While the stream lives, only what it has lost would make another look worth it. */
const LOOK_AGAIN_MS = 30_000;
const POLL_MS = 2_000;

/** Waits for what becomes of an action. */
export class ActionWatch {
  constructor(private readonly connection: Connection) {}

  /**
   * Looks at the action now, and whenever the stream tells of it; where there is no stream, as often as `Poll-Interval`
   * says. Throws ActionNotExecuted, MarketError, and what the signal was aborted with (TimeoutError after `timeoutMs`).
   */
  async wait(actionId: string, until: string, { signal, timeoutMs }: WaitOptions): Promise<ActionRecord> {
    const own = new AbortController();
    const limits = [own.signal, signal, timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)];
    const end = AbortSignal.any(limits.filter((limit) => limit !== undefined));
    const news = new News();
    const listening = this.listen(actionId, news, end);
    try {
      for (;;) {
        const seen = news.count;
        const { record, pollMs } = await this.look(actionId, end);
        if (GRANTED[until]?.includes(record.status) === true) return record;
        if (ENDED.includes(record.status)) throw new ActionNotExecuted(record);
        const napMs = news.isOpen ? LOOK_AGAIN_MS : pollMs;
        if (news.count === seen) await news.next(napMs, end);
      }
    } finally {
      own.abort();
      await listening;
    }
  }

  private async listen(actionId: string, news: News, signal: AbortSignal): Promise<void> {
    const events = new EventStream(this.connection, { types: NEWS, signal, onOpen: () => news.open() });
    try {
      for await (const { subject } of events) if (subject.id === actionId) news.tell();
    } catch {
      // A stream that is refused, or was ended with the wait: the action is asked for instead.
    }
    news.close();
  }

  private async look(actionId: string, signal: AbortSignal): Promise<{ record: ActionRecord; pollMs: number }> {
    const params = { path: { action_id: actionId } };
    const asked = await this.connection.as('read', signal).GET('/v1/actions/{action_id}', { params });
    const record = await taken<ActionRecord>(Promise.resolve(asked));
    const seconds = Number(asked.response.headers.get('Poll-Interval') ?? Number.NaN);
    return { record, pollMs: seconds > 0 ? seconds * 1000 : POLL_MS };
  }
}

/** Whether there is something new, counted so that nothing is lost between a look and the wait for the next. */
class News {
  count = 0;
  isOpen = false;
  private wake: () => void = () => undefined;

  open(): void {
    this.isOpen = true;
    // What happened before the stream was open is told by nobody.
    this.tell();
  }

  close(): void {
    this.isOpen = false;
    this.tell();
  }

  tell(): void {
    this.count += 1;
    this.wake();
  }

  /** Resolves with the next news, at the latest after so many milliseconds. Rejects when the signal is aborted. */
  async next(ms: number, signal: AbortSignal): Promise<void> {
    const nap = new AbortController();
    const told = new Promise<void>((resolve) => (this.wake = resolve));
    try {
      await Promise.race([told, pause(ms, AbortSignal.any([signal, nap.signal]))]);
    } finally {
      nap.abort();
    }
  }
}
