import { Injectable } from '@nestjs/common';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { MoneyDto } from '../../../platform/http/input/money.dto.js';
import { Clock } from '../../../platform/time/clock.js';
import { RegularWork } from '../../../platform/time/regular-work.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import type { NodeDeadlineEvents } from '../../events/catalogue/node-event-data.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import { BATCH, type DueNode, NOTE_DEADLINES } from './node-deadlines.sql.js';

const INTERVAL_MS = 2_000;

/** What a party may do until the deadline that comes next in this state. */
const RIGHTS: Readonly<Record<DueNode['state'], string>> = {
  funded: 'deliver',
  delivered: 'reject',
  rejected: 'contest',
  disputed: 'rule',
};

/** Records that deadlines of nodes come near and pass, which no block says: each once, also after a downtime. */
@Injectable()
export class DeadlinesSweeper extends RegularWork {
  constructor(
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {
    super('deadlines', INTERVAL_MS, 'That deadlines come near and pass is not told');
  }

  /** Records the events of all deadlines that are due, except of nodes that are locked; returns how many nodes it noted. */
  override async sweep(): Promise<number> {
    let noted = 0;
    for (const statement of NOTE_DEADLINES) {
      for (let batch = BATCH; batch === BATCH && !this.isEnding; noted += batch)
        batch = await this.tellBatch(statement);
    }
    return noted;
  }

  private tellBatch(statement: (typeof NOTE_DEADLINES)[number]): Promise<number> {
    return this.transactions.run(async (manager) => {
      const now = this.clock.now();
      const rows = await runPrepared<DueNode>(manager, statement, [now]);
      await recordEvents(
        manager,
        rows.filter(({ isNews }) => isNews).map((row) => deadlineEvent(row, now)),
      );
      return rows.length;
    });
  }
}

function deadlineEvent(row: DueNode, at: Date): RecordedEvent<keyof NodeDeadlineEvents> {
  const { id, taskId, parentNodeId, hours, audience } = row;
  return {
    type: hours === 0 ? 'node.deadline_passed' : 'node.deadline_approaching',
    at,
    subject: { kind: 'node', id, taskId },
    audience,
    data: {
      amount: MoneyDto.from(BigInt(row.amount)),
      worker_agent_id: row.workerAgentId,
      ...(parentNodeId === null ? {} : { parent_node_id: parentNodeId }),
      deadline: row.deadline.toISOString(),
      until_then: row.isDelivery ? 'deliver' : RIGHTS[row.state],
      ...(hours === 0 ? {} : { hours }),
      state: row.state,
      effective_state: row.effectiveState,
    },
  };
}
