import type { JetStreamManager, StreamConfig } from '@nats-io/jetstream';
import { ACCOUNTS_PREFIX, PUBLIC_PREFIX } from './bus-message.js';

/** A stream of JetStream. */
export interface BusStream {
  readonly name: string;
  /** Subject of its messages, with a wildcard. */
  readonly subject: string;
}

/** What everybody may read. */
export const PUBLIC_STREAM: BusStream = { name: 'TASKTREE_EVENTS', subject: `${PUBLIC_PREFIX}.>` };
/** What accounts may read, each on subjects of its own. */
export const ACCOUNTS_STREAM: BusStream = { name: 'TASKTREE_ACCOUNTS', subject: `${ACCOUNTS_PREFIX}.>` };

/**
 * A day longer than the log keeps an event at most (90 days, and up to seven more until its partition is over): whoever finds
 * a stream empty may begin with the oldest event of the log, because what the stream has forgotten the log has forgotten, too.
 */
export const KEPT_DAYS = 98;
const DAY_NS = 86_400_000_000_000;
const KEPT_NS = KEPT_DAYS * DAY_NS;
/** An event has less than 4 KB, and its envelope less than 1 KB. */
const LARGEST_MESSAGE = 8_192;
/** Error code of JetStream: there is no stream of this name. */
const NOT_FOUND = 10_059;

/**
 * Makes the stream if it is missing. One that is there stays as it is, because its operator may have reasons for its replicas,
 * its place and whatever else loses nothing.
 * @throws Error when what it is set to would lose or change messages, or lies on other subjects.
 */
export async function ensureStream(streams: JetStreamManager['streams'], stream: BusStream): Promise<void> {
  const config = await streams.info(stream.name).then(
    (info) => info.config,
    (error: unknown) => {
      if (codeOf(error) === NOT_FOUND) return null;
      throw error;
    },
  );
  if (config) refuseOther(stream, config);
  else await streams.add(configOf(stream));
}

/** Code of an error that JetStream has answered; undefined: it is another error. */
export function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

function configOf({ name, subject }: BusStream): Partial<StreamConfig> & { name: string } {
  return {
    name,
    subjects: [subject],
    description: 'Events of Tasktree as CloudEvents; published by the service alone',
    retention: 'limits',
    storage: 'file',
    discard: 'old',
    max_age: KEPT_NS,
    max_msgs: -1,
    max_bytes: -1,
    max_msgs_per_subject: -1,
  };
}

function refuseOther({ name, subject }: BusStream, config: StreamConfig): void {
  const isUnlimited = (limit: number): boolean => limit <= 0;
  const faults = [
    ...(config.subjects?.length === 1 && config.subjects[0] === subject ? [] : [`subjects must be ${subject} alone`]),
    ...(config.retention === 'limits' ? [] : ['retention must be limits']),
    ...(isUnlimited(config.max_age) || config.max_age >= KEPT_NS ? [] : [`max_age must be ${KEPT_DAYS} days or more`]),
    ...(['max_msgs', 'max_bytes', 'max_msgs_per_subject'] as const)
      .filter((limit) => !isUnlimited(config[limit]))
      .map((limit) => `${limit} must be unlimited`),
    ...(isUnlimited(config.max_msg_size) || config.max_msg_size >= LARGEST_MESSAGE
      ? []
      : [`max_msg_size must be ${LARGEST_MESSAGE} or more`]),
    ...(config.no_ack ? ['no_ack must be off'] : []),
    ...(config.sealed ? ['it must not be sealed'] : []),
    ...(config.mirror || config.sources?.length ? ['it must not copy other streams'] : []),
    ...(config.subject_transform ? ['it must not change subjects'] : []),
  ];
  if (faults.length === 0) return;
  throw new Error(
    `The NATS stream ${name} exists with other limits than events need, and is left as it is: ${faults.join('; ')}. ` +
      'Change it (nats stream edit), or remove it to have it made anew.',
  );
}
