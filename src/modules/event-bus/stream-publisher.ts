import type { PubAck } from '@nats-io/jetstream';
import { type BusMessage, CLOUD_EVENT_TYPE, placeOf } from './bus-message.js';
import { type BusStream, codeOf, ensureStream } from './bus-streams.js';
import { ANSWER_MS, type OpenBus } from './nats-connection.js';

/** Some of the log's events in their order, as messages of one stream. */
export interface BusBatch {
  /** In the order of the log, and those of one event in the order of their readers. */
  readonly messages: readonly BusMessage[];
  /** The last position that was looked at, whether or not it gave a message; null: the log has nothing more. */
  readonly end: string | null;
  readonly more: boolean;
}

/** Reads what stands behind a position of the log. */
export type ReadBatch = (behind: string) => Promise<BusBatch>;

/** Messages that are on their way at the same moment. */
const IN_FLIGHT = 256;
/** Error codes of JetStream: the stream ends elsewhere than the sender has thought. */
const WRONG_LAST_SEQUENCE: ReadonlySet<number | undefined> = new Set([10_071, 10_164]);

/** Where the stream and what was published end. */
interface Stand {
  /** Sequence of the stream's last message, by which the server counts. */
  streamSequence: number;
  /** Position in the log behind which is to be read. */
  behind: bigint;
  /** What is stored of the first event behind it, if anything: its position, and the last reader. */
  readonly partly: { readonly sequence: bigint; readonly reader: string } | null;
}

/**
 * Publishes the log to one stream. Where to go on is always what the stream itself says: the last message that it has stored
 * names its position in the log. Each message is accepted only right behind the one that was sent before it, so whatever else
 * is published meanwhile, by a second process or by a message of the first that arrives late, turns the rest away instead of
 * doubling or reordering it; then the stream is asked anew. The server's own search for repetitions is not needed for that.
 */
export class StreamPublisher {
  private stand: Stand | null = null;
  /** Whether the last batch was turned away: the second time in a row is a fault. */
  private wasTurnedAway = false;

  /** @param source URL of the service, by which it knows its own messages. */
  constructor(
    readonly stream: BusStream,
    private readonly source: string,
    private readonly read: ReadBatch,
  ) {}

  /** The stream is asked before anything more is published. */
  forget(): void {
    this.stand = null;
  }

  /**
   * Publishes the next events, if there are any. Returns true when there may be more.
   * @throws Error when the stream or the log does not answer, or the stream cannot be used.
   */
  async publishNext(bus: OpenBus): Promise<boolean> {
    const stand = (this.stand ??= await this.standOf(bus));
    const { messages, end, more } = await this.read(String(stand.behind));
    const missing = messages.filter((message) => isMissing(message, stand));
    for (let first = 0; first < missing.length; first += IN_FLIGHT) {
      if (await this.publishAll(bus, stand, missing.slice(first, first + IN_FLIGHT))) continue;
      this.stand = null;
      if (this.wasTurnedAway) throw new Error(`The NATS stream ${this.stream.name} accepts nothing: it ends elsewhere`);
      this.wasTurnedAway = true;
      return true;
    }
    this.wasTurnedAway = false;
    if (end !== null) this.stand = { streamSequence: stand.streamSequence, behind: BigInt(end), partly: null };
    return more;
  }

  /** Returns false when somebody else has published meanwhile. */
  private async publishAll(bus: OpenBus, stand: Stand, messages: readonly BusMessage[]): Promise<boolean> {
    const { headers } = await import('@nats-io/transport-node');
    const from = stand.streamSequence;
    const answers = await Promise.allSettled(
      messages.map(({ subject, body, messageId }, index): Promise<PubAck> => {
        const head = headers();
        head.set('content-type', CLOUD_EVENT_TYPE);
        const expect = { streamName: this.stream.name, lastSequence: from + index };
        return bus.publisher.publish(subject, body, { msgID: messageId, headers: head, expect, timeout: ANSWER_MS });
      }),
    );
    for (const answer of answers) {
      if (answer.status === 'rejected') {
        // What follows was turned away because of this one, or is not known.
        this.stand = null;
        if (WRONG_LAST_SEQUENCE.has(codeOf(answer.reason))) return false;
        throw answer.reason;
      }
      // A repetition is answered with its first place. That is this one if a message of a former process came late.
      if (answer.value.seq !== stand.streamSequence + 1) return false;
      stand.streamSequence = answer.value.seq;
    }
    return true;
  }

  private async standOf({ manager: { streams } }: OpenBus): Promise<Stand> {
    const { name, subject } = this.stream;
    await ensureStream(streams, this.stream);
    const { state } = await streams.info(name);
    if (state.messages === 0) return { streamSequence: state.last_seq, behind: 0n, partly: null };
    // Asked of the leader, which no copy that lags behind may answer for.
    const last = await streams.getMessage(name, { last_by_subj: subject });
    const place = last ? placeOf(last.subject, last.string()) : null;
    if (!last || !place) {
      throw new Error(
        `The last message of the NATS stream ${name} is none of this service: somebody else publishes there`,
      );
    }
    if (place.source !== this.source) {
      throw new Error(
        `The NATS stream ${name} has events of another service, ${place.source}; each needs streams of its own`,
      );
    }
    // Its last messages may have been deleted, or further ones may have come since the first answer.
    const streamSequence = Math.max(state.last_seq, last.seq);
    return { streamSequence, behind: place.sequence - 1n, partly: place };
  }
}

function isMissing({ sequence, reader }: BusMessage, { partly }: Stand): boolean {
  return partly === null || BigInt(sequence) > partly.sequence || reader > partly.reader;
}
