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

/** Statuses of an action that goes well, in their order: a wish is granted with its own and with what comes after it. */
const STEPS = ['signed', 'submitted', 'confirmed', 'final'];
const ENDED = ['failed', 'declined', 'expired', 'superseded'];
const NEWS = ['finalized', ...STEPS.slice(0, 3), ...ENDED].map((name) => `action.${name}`);
/** While the stream lives, only what it has lost would make another look worth it. */
const LOOK_AGAIN_MS = 30_000;
const POLL_MS = 2_000;
/** So many reads are left to other calls of the credential before its waits are slowed down. */
const SPARED_READS = 40;

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
    const params = { path: { action_id: actionId } };
    const waiter: Waiter = { actionId, nap: new AbortController() };
    this.waiting.add(waiter);
    if (this.stream === undefined) void this.listen((this.stream = { stop: new AbortController(), isOpen: false }));
    try {
      for (;;) {
        // Before the look, so that nothing is lost that is told meanwhile.
        waiter.nap = new AbortController();
        const asked = await this.connection.as('read', end).GET('/v1/actions/{action_id}', { params });
        const record = await taken<ActionRecord>(Promise.resolve(asked));
        const goal = holdsOnceSigned(record.kind) ? 'signed' : until;
        if (STEPS.slice(STEPS.indexOf(goal)).includes(record.status)) return record;
        if (ENDED.includes(record.status)) throw new ActionNotExecuted(record);
        // All who wait look once a second at most, because they share the limit of one credential.
        const oneMs = this.stream?.isOpen === true ? LOOK_AGAIN_MS : pollMsOf(asked.response);
        const napMs = Math.max(oneMs, 1_000 * (this.waiting.size - 1));
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
      // What happened before the stream was open is told by nobody; where it comes back, it goes on where it was.
      if (!stream.isOpen) this.tell();
      stream.isOpen = true;
    };
    try {
      const events = new EventStream(this.connection, { types: NEWS, signal: stream.stop.signal, onOpen });
      for await (const { subject } of events) this.tell(subject.id);
    } catch {
      // A stream that is refused: the actions are asked for instead, and the next wait tries again.
    }
    if (this.stream !== stream) return;
    this.stream = undefined;
    if (stream.isOpen) this.tell();
  }

  /** Wakes who waits for this action; absent: all. */
  private tell(actionId?: string): void {
    for (const waiter of this.waiting) if (actionId === undefined || waiter.actionId === actionId) waiter.nap.abort();
  }
}

/** Milliseconds to the next look, as the service says it and as the credential can pay for it. */
function pollMsOf({ headers }: Response): number {
  if (Number(headers.get('X-Limit-Remaining') ?? SPARED_READS) < SPARED_READS) return LOOK_AGAIN_MS;
  const seconds = Number(headers.get('Poll-Interval'));
  return seconds > 0 ? seconds * 1000 : POLL_MS;
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
