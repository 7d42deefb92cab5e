import { factFromJson } from '#libs/contracts';
import type { IndexedFact } from '../action/action-status.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { SoughtPayment } from '../action/prepared-kind.js';

/** Which facts decide about an action. */
export interface SoughtFacts {
  readonly action: Pick<PreparedActionEntity, 'taskId' | 'walletAddress' | 'actionIdHash' | 'nonce'>;
  /** Null where no payment carries it out. */
  readonly payment: SoughtPayment | null;
}

/** A row of `ACTION_FACTS` as `pg` parses it. */
export interface ActionFactRow {
  readonly place: number;
  readonly fact: Parameters<typeof factFromJson>[0];
  readonly block_number: number;
  readonly transaction_hash: string;
}

/** The values of `ACTION_FACTS`. */
export function factValues(sought: readonly SoughtFacts[]): unknown[] {
  const actions = sought.map(({ action }) => action);
  return [
    actions.map(({ taskId }) => taskId),
    actions.map(({ walletAddress }) => walletAddress),
    actions.map(({ actionIdHash }) => actionIdHash),
    actions.map(({ nonce }) => nonce.toString()),
    actions.map(({ nonce }) => (nonce >> 8n).toString()),
    sought.map(({ payment }) => payment?.nodeId?.toString() ?? null),
    sought.map(({ payment }) => payment?.termsHash ?? null),
  ];
}

/** The facts of `count` actions, each in its place. */
export function factsByPlace(rows: readonly ActionFactRow[], count: number): (readonly IndexedFact[])[] {
  const facts = Array.from({ length: count }, (): IndexedFact[] => []);
  for (const { place, fact, block_number: blockNumber, transaction_hash: transactionHash } of rows) {
    facts[place]?.push({ fact: factFromJson(fact), blockNumber, transactionHash });
  }
  return facts;
}
