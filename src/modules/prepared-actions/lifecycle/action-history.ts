import { Injectable } from '@nestjs/common';
import { readNodeNonce, type TaskStatus, type WireNodeState } from '#libs/contracts';
import { type Hex, pathText } from '#libs/kernel';
import type { ActionStatus } from '#libs/prepared-action';
import { ChainClient, type TransactionOutcome } from '../../../platform/chain/chain-client.js';
import { ChainUnavailableError } from '../../../platform/chain/rpc/chain-unavailable.error.js';
import { runPrepared, Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { NEWEST_BLOCK } from '../../escrow/escrow.sql-views.js';
import {
  actionStatusOf,
  executionOf,
  FINAL_AFTER_BLOCKS,
  type HandedInTransaction,
  type IndexedFact,
  type IndexedTip,
  type Standing,
  type StatusInput,
} from '../action/action-status.js';
import { isPreparableKind, KindRegistry } from '../registry/kind-registry.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionStanding, NodePayment } from '../action/prepared-kind.js';
import { type ActionFactRow, factsByPlace, factValues, type SoughtFacts } from './action-facts.js';
import { ACTION_FACTS } from './action-facts.sql.js';
import { STANDING } from './action-standing.sql.js';

/** What has become of an action, and where on the chain; blocks are null while the index has not read them. */
export interface ActionProgress {
  readonly status: ActionStatus;
  readonly transactionHash: string | null;
  /** Block of the execution, and the one from which on it is final. */
  readonly block: number | null;
  readonly finalAtBlock: number | null;
  /** Newest block of the index. */
  readonly headBlock: number | null;
}

/** A transaction, and what the chain said of it. */
export interface SeenTransaction {
  readonly hash: Hex | null;
  readonly outcome: HandedInTransaction | null;
}

interface StandingRow {
  readonly task_status: TaskStatus;
  readonly node_state: WireNodeState | null;
  readonly node_version: number | null;
}

/** What an action is judged by, of its own row. */
export type JudgedAction = StatusInput['action'] &
  Pick<PreparedActionEntity, 'kind' | 'payload' | 'actionIdHash' | 'transactionHash'>;

export type JudgedInput = StatusInput & { readonly action: JudgedAction };

/** What an action is judged by, of what the index and the chain know. */
type ReadAbout = ActionStanding & Pick<StatusInput, 'tip' | 'nodeVersion' | 'facts' | 'transaction'>;

/** Reads what has become of an action from the indexed chain; it follows reorganisations because nothing is stored. */
@Injectable()
export class ActionHistory {
  constructor(
    private readonly transactions: Transactions,
    private readonly chain: ChainClient,
    private readonly kinds: KindRegistry,
    private readonly clock: Clock,
  ) {}

  /**
   * The status as of now, see `actionStatusOf`. A chain that cannot be asked makes it `unknown`, not an error.
   * @param seen the chain's answer about the action's transaction, when it was asked before; absent: it is asked now.
   */
  async statusOf(action: PreparedActionEntity, seen?: SeenTransaction): Promise<Standing> {
    return actionStatusOf(await this.inputOf(action, seen));
  }

  /** The status that follows from what was read. The chain is asked once more where a transaction may have skipped it. */
  async judge(input: JudgedInput): Promise<Standing> {
    return actionStatusOf({ ...input, transaction: await this.settled(input) });
  }

  /** What an action is judged by now. `about` must be read in this order: first the standing, then the facts. */
  inputFrom(action: JudgedAction, { taskStatus, nodeState, ...about }: ReadAbout): JudgedInput {
    const kind = isPreparableKind(action.kind) ? this.kinds.implementationOf(action.kind) : null;
    const stateMovedOn = kind?.isSupersededBy({ taskStatus, nodeState }) ?? false;
    const isPaidBy =
      kind?.isPaidBy === undefined ? null : (payment: NodePayment) => kind.isPaidBy?.(payment, action) ?? false;
    return { ...about, action, isPaidBy, stateMovedOn, nowMs: this.clock.nowMs() };
  }

  /** Which facts decide about the action. A payment carries out only what is signed. */
  soughtFacts(action: JudgedAction & SoughtFacts['action']): SoughtFacts {
    const kind = isPreparableKind(action.kind) ? this.kinds.implementationOf(action.kind) : null;
    return { action, payment: action.signature === null ? null : (kind?.soughtPayment?.(action) ?? null) };
  }

  /** What the chain says now of a transaction that was handed in for an action; null for none. */
  async seenNow(action: Pick<PreparedActionEntity, 'actionIdHash'>, hash: Hex | null): Promise<SeenTransaction> {
    return { hash, outcome: hash === null ? null : await this.outcomeOf(action, hash) };
  }

  /** As `statusOf`, with the blocks that it follows from. */
  async progressOf(action: PreparedActionEntity): Promise<ActionProgress> {
    const input = await this.inputOf(action);
    const block = executionOf(input)?.blockNumber ?? null;
    const finalAtBlock = block === null ? null : block + FINAL_AFTER_BLOCKS;
    return { ...actionStatusOf(input), block, finalAtBlock, headBlock: input.tip?.number ?? null };
  }

  private async inputOf(action: PreparedActionEntity, seen?: SeenTransaction): Promise<StatusInput> {
    const { transactionHash } = action;
    const [tip, standing, transaction] = await Promise.all([
      this.tip(),
      this.standingOf(action),
      seen === undefined
        ? this.seenNow(action, transactionHash).then(({ outcome }) => outcome)
        : outcomeIn(seen, transactionHash),
    ]);
    // Read last: a state that the executed action has changed must never be seen without the fact that changed it.
    const facts = await this.factsOf(action);
    const input = this.inputFrom(action, { ...standing, facts, tip, transaction });
    return { ...input, transaction: await this.settled(input) };
  }

  /**
   * The transaction handed in, as a failed one where it went through, carried the action and did not execute it: a batch
   * skips a member that fails.
   */
  private async settled(input: JudgedInput): Promise<HandedInTransaction | null> {
    const { action, tip, transaction } = input;
    if (transaction?.kind !== 'mined' || action.transactionHash === null) return transaction;
    const { blockNumber } = transaction;
    if (tip === null || tip.number < blockNumber || executionOf(input) !== undefined) return transaction;
    try {
      const data = await this.chain.transactionData(action.transactionHash);
      return data !== null && carries(data, action.actionIdHash) ? { kind: 'reverted', blockNumber } : transaction;
    } catch (error) {
      if (error instanceof ChainUnavailableError) return transaction;
      throw error;
    }
  }

  private async tip(): Promise<IndexedTip | null> {
    const [row] = await this.transactions.manager.query<{ number: number; timestamp: Date }[]>(NEWEST_BLOCK);
    return row ? { number: row.number, timeMs: row.timestamp.getTime() } : null;
  }

  private async outcomeOf(
    { actionIdHash }: Pick<PreparedActionEntity, 'actionIdHash'>,
    transactionHash: Hex,
  ): Promise<HandedInTransaction> {
    try {
      return handedIn(await this.chain.transactionOutcome(transactionHash), actionIdHash);
    } catch (error) {
      if (error instanceof ChainUnavailableError) return { kind: 'unreachable' };
      throw error;
    }
  }

  /** The facts of the action's own tree that decide about it, in chain order. */
  private async factsOf(action: PreparedActionEntity): Promise<readonly IndexedFact[]> {
    if (action.taskId === null) return [];
    const values = factValues([this.soughtFacts(action)]);
    const rows = await runPrepared<ActionFactRow>(this.transactions.manager, ACTION_FACTS, values);
    return factsByPlace(rows, 1)[0] ?? [];
  }

  private async standingOf({
    taskId,
    nodeId,
    nonce,
  }: PreparedActionEntity): Promise<ActionStanding & Pick<StatusInput, 'nodeVersion'>> {
    const named = readNodeNonce(nonce);
    const [row] = await this.transactions.manager.query<StandingRow[]>(STANDING, [
      taskId,
      nodeId,
      named === null ? null : pathText(named.path),
    ]);
    const {
      task_status: taskStatus = null,
      node_state: nodeState = null,
      node_version: nodeVersion = null,
    } = row ?? {};
    return { taskStatus, nodeState, nodeVersion };
  }
}

/**
 * A transaction that executes the action has the action's id in its data, also when a contract wallet or a bundler sends
 * it. One without the id is not about the action: while it waits for a block it counts as unseen, and when it failed it
 * counts as mined, because its failure says nothing about the action.
 */
function handedIn(outcome: TransactionOutcome, actionIdHash: string): HandedInTransaction {
  if (outcome.kind !== 'pending' && outcome.kind !== 'reverted') return outcome;
  if (carries(outcome.data, actionIdHash)) return outcome;
  return outcome.kind === 'pending' ? { kind: 'unseen' } : { kind: 'mined', blockNumber: outcome.blockNumber };
}

function carries(data: Hex, actionIdHash: string): boolean {
  return data.toLowerCase().includes(actionIdHash.slice(2).toLowerCase());
}

/** The outcome in `seen`; `unreachable` when another transaction was handed in meanwhile, which nobody has asked about. */
function outcomeIn(seen: SeenTransaction, hash: Hex | null): HandedInTransaction | null {
  if (hash === null) return null;
  return seen.hash === hash ? seen.outcome : { kind: 'unreachable' };
}
