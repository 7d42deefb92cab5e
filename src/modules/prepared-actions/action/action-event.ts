import type { EntityManager } from 'typeorm';
import type { ActionEvents } from '../../events/catalogue/action-event-data.js';
import type { RecordedEvent } from '../../events/catalogue/event.js';
import { recordEvents } from '../../events/log/record-events.sql.js';
import { PreparedActionEntity, type ToldStatus } from './prepared-action.entity.js';

/** What an event tells of an action. */
export type ToldAction = Pick<PreparedActionEntity, 'id' | 'kind' | 'accountId' | 'taskId' | 'nodeId' | 'expiresAt'>;

export interface ToldChange {
  /** Null for a new action. */
  readonly from: ToldStatus | null;
  readonly to: ToldStatus;
  readonly at: Date;
  readonly transactionHash?: string | null;
}

const TYPES: Readonly<Record<ToldStatus, keyof ActionEvents>> = {
  prepared: 'action.prepared',
  opened: 'action.opened',
  declined: 'action.declined',
  signed: 'action.signed',
  submitted: 'action.submitted',
  failed: 'action.failed',
  confirmed: 'action.confirmed',
  final: 'action.finalized',
  expired: 'action.expired',
  superseded: 'action.superseded',
};

/** The event of a change of an action's status, for the account that the action acts for. */
export function actionEvent(
  action: ToldAction,
  { from, to, at, transactionHash }: ToldChange,
): RecordedEvent<keyof ActionEvents> {
  const { id, kind, accountId, taskId, nodeId, expiresAt } = action;
  return {
    type: TYPES[to],
    at,
    subject: { kind: 'action', id, ...(taskId === null ? {} : { taskId }) },
    audience: [accountId],
    data: {
      status: { ...(from === null ? {} : { from }), to },
      kind,
      ...(nodeId === null ? {} : { node_id: nodeId }),
      expires_at: expiresAt.toISOString(),
      ...(transactionHash ? { transaction_hash: transactionHash } : {}),
    },
  };
}

/** What a person or a program can do with an action, and in which statuses that changes its status. */
const MOVED_FROM = {
  declined: ['prepared', 'opened', 'failed'],
  signed: ['prepared', 'opened'],
  submitted: ['prepared', 'opened', 'signed', 'failed'],
  failed: ['prepared', 'opened', 'signed', 'submitted'],
} satisfies Partial<Record<ToldStatus, ToldStatus[]>>;

/**
 * Tells what a person or a program has just done with an action whose row is locked, and sets `toldStatus` of the entity,
 * which the caller writes with its own change. What the chain has shown meanwhile stays told.
 */
export async function tellAction(
  manager: EntityManager,
  action: PreparedActionEntity,
  to: keyof typeof MOVED_FROM,
  at: Date,
): Promise<void> {
  const { toldStatus: from, transactionHash } = action;
  const moved: readonly (ToldStatus | null)[] = MOVED_FROM[to];
  if (!moved.includes(from)) return;
  await recordEvents(manager, [actionEvent(action, { from, to, at, transactionHash })]);
  action.toldStatus = to;
}

/** Tells that a person has opened an action with which nothing has been done yet. */
export async function tellOpened(manager: EntityManager, action: ToldAction, at: Date): Promise<void> {
  const { affected } = await manager.update(
    PreparedActionEntity,
    { id: action.id, toldStatus: 'prepared' },
    { toldStatus: 'opened' },
  );
  if (affected === 1) await recordEvents(manager, [actionEvent(action, { from: 'prepared', to: 'opened', at })]);
}
