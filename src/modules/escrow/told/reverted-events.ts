import type { RecordedEvent } from '../../events/catalogue/event.js';
import type { ChainEvents } from '../../events/log/chain-events.sql.js';
import { PUBLIC } from '../../events/log/record-events.sql.js';

/** Ids that one event names: so many stay well below the 4 KB that an event may have. */
const MOST_IDS = 100;

/**
 * The events that tell of a task's events that they have not happened. Each is for those that could read all that it
 * names.
 * @param undone in the order of their blocks.
 */
export function revertedEvents(
  taskId: string,
  undone: readonly ChainEvents[],
  at: Date,
): RecordedEvent<'chain.reverted'>[] {
  const fromBlock = Math.min(...undone.map(({ blockNumber }) => blockNumber));
  const byAudience = new Map<string, { audience: readonly string[]; ids: string[] }>();
  for (const { audience, eventIds } of undone) {
    const key = audience.join(' ');
    const own = byAudience.get(key) ?? { audience, ids: [] };
    byAudience.set(key, own);
    own.ids.push(...eventIds);
  }
  return [...byAudience.values()].flatMap(({ audience, ids }) =>
    Array.from({ length: Math.ceil(ids.length / MOST_IDS) }, (_, part) => ({
      type: 'chain.reverted' as const,
      at,
      subject: { kind: 'task' as const, id: taskId, taskId },
      audience: audience[0] === PUBLIC ? PUBLIC : audience,
      data: { event_ids: ids.slice(part * MOST_IDS, (part + 1) * MOST_IDS), from_block: fromBlock },
    })),
  );
}
