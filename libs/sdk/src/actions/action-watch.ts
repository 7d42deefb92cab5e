import { holdsOnceSigned } from '#libs/prepared-action';
import type { components } from '../generated/interface.js';
import { EventStream } from '../events/resumed-stream.js';
import { type CallOptions, type Connection, taken } from '../http/connection.js';
import { pause } from '../http/retrying-fetch.js';
import { timeLimit } from '../http/time-limit.js';

/** An action and what has become of it. */
export type ActionRecord = components['schemas']['Action'];

export interface WaitOptions extends CallOptions {
  /**
   * `confirmed`: a block has executed it. `final`: so many blocks have followed that it stays. An offer or a selection has no
   * transaction: its end is the signature.
   */
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

/** Waits for what becomes of actions. A credential has few streams, so all who wait listen to one. */
export class ActionWatch {
  private readonly waiting = new Set<Waiter>();
  private stream: Listening | undefined;

  constructor(private readonly connection: Connection) {}

  /**
   * Looks at the action now, and whenever the stream tells of it; where there is no stream, as often as `Poll-Interval`
   * says. Throws ActionNotExecuted, MarketError, and what the signal was aborted with (TimeoutError after `timeoutMs`).
   */
  async wait(
    actionId: string,
    until: string = this.connection.until,
    { signal, timeoutMs }: Omit<WaitOptions, 'until'>,
  ): Promise<ActionRecord> {
    const limit = timeoutMs === undefined ? undefined : timeLimit(timeoutMs);
    const end = AbortSignal.any([signal, limit].filter((one) => one !== undefined));
    const waiter: Waiter = { actionId, nap: new AbortController() };
    this.waiting.add(waiter);
    if (this.stream === undefined) void this.listen((this.stream = { stop: new AbortController(), isOpen: false }));
    try {
      for (;;) {
        // Before the look, so that nothing is lost that is told meanwhile.
        waiter.nap = new AbortController();
        const { record, pollMs } = await this.look(actionId, end);
        const goal = holdsOnceSigned(record.kind) ? 'signed' : until;
        if (GRANTED[goal]?.includes(record.status) === true) return record;
        if (ENDED.includes(record.status)) throw new ActionNotExecuted(record);
        const napMs = this.stream?.isOpen === true ? LOOK_AGAIN_MS : pollMs;
        await pause(napMs, AbortSignal.any([end, waiter.nap.signal])).catch(() => end.throwIfAborted());
      }
    } finally {
      this.waiting.delete(waiter);
      if (this.waiting.size === 0) {
        this.stream?.stop.abort();
        this.stream = undefined;
      }
    }
  }

  private async listen(stream: Listening): Promise<void> {
    const onOpen = (): void => {
      stream.isOpen = true;
      // What happened before the stream was open is told by nobody.
      this.tell();
    };
    try {
      const events = new EventStream(this.connection, { types: NEWS, signal: stream.stop.signal, onOpen });
      for await (const { subject } of events) this.tell(subject.id);
    } catch {
      // A stream that is refused: the actions are asked for instead, and the next wait tries again.
    }
    if (this.stream !== stream) return;
    this.stream = undefined;
    this.tell();
  }

  /** Wakes who waits for this action; absent: all. */
  private tell(actionId?: string): void {
    for (const waiter of this.waiting) if (actionId === undefined || waiter.actionId === actionId) waiter.nap.abort();
  }

  private async look(actionId: string, signal: AbortSignal): Promise<{ record: ActionRecord; pollMs: number }> {
    const params = { path: { action_id: actionId } };
    const asked = await this.connection.as('read', signal).GET('/v1/actions/{action_id}', { params });
    const record = await taken<ActionRecord>(Promise.resolve(asked));
    const seconds = Number(asked.response.headers.get('Poll-Interval'));
    return { record, pollMs: seconds > 0 ? seconds * 1000 : POLL_MS };
  }
}

/** Somebody who waits: the next look comes when the nap is aborted, at the latest. */
interface Waiter {
  readonly actionId: string;
  nap: AbortController;
}

interface Listening {
  readonly stop: AbortController;
  isOpen: boolean;
}
