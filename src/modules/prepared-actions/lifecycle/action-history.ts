import { Injectable } from '@nestjs/common';
import { readNodeNonce, type TaskStatus, type WireNodeState } from '#libs/contracts';
import { type Hex, pathText } from '#libs/kernel';
import type { ActionStatus } from '#libs/prepared-action';
import { ChainClient, type TransactionOutcome } from '../../../platform/chain/chain-client.js';
import { ChainUnavailableError } from '../../../platform/chain/rpc/chain-unavailable.error.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { INDEX_TIP, type NewestBlockRow } from '../../escrow/escrow.sql-views.js';
import {
  actionStatusOf,
  byItsTransactions,
  executionOf,
  FINAL_AFTER_BLOCKS,
  type HandedInTransaction,
  hangsOnSecond,
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

/** What the chain said of transactions, by their hashes. */
export type SeenTransactions = ReadonlyMap<Hex, HandedInTransaction>;

interface StandingRow {
  readonly task_status: TaskStatus;
  readonly node_state: WireNodeState | null;
  readonly node_version: number | null;
}

/** What an action is judged by, of its own row. */
export type JudgedAction = StatusInput['action'] &
  Pick<PreparedActionEntity, 'kind' | 'payload' | 'actionIdHash' | 'transactionHash' | 'secondHash'>;

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
   * @param seen the chain's answers about the action's transactions, when it was asked before; absent: it is asked now.
   */
  async statusOf(action: PreparedActionEntity, seen?: SeenTransactions): Promise<Standing> {
    return actionStatusOf(await this.inputOf(action, seen));
  }

  /** The status that follows from what was read. The chain is asked once more where a transaction may have skipped it. */
  async judge(input: JudgedInput): Promise<Standing> {
    return actionStatusOf(await this.decided(input));
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

  /**
   * What the chain says now of transactions that were handed in for an action; nothing of null. With these answers `statusOf`
   * asks nothing more, as it may not once something is written.
   */
  async seenNow(
    action: Pick<PreparedActionEntity, 'actionIdHash'>,
    ...hashes: readonly (Hex | null)[]
  ): Promise<SeenTransactions> {
    const known = hashes.filter((hash) => hash !== null);
    return new Map(
      await Promise.all(known.map(async (hash) => [hash, await this.wholeOutcomeOf(action, hash)] as const)),
    );
  }

  private async wholeOutcomeOf(
    action: Pick<PreparedActionEntity, 'actionIdHash'>,
    hash: Hex,
  ): Promise<HandedInTransaction> {
    const outcome = await this.outcomeOf(action, hash);
    return outcome.kind === 'mined' ? { ...outcome, isAbout: await this.isAbout(action, hash) } : outcome;
  }

  /** As `statusOf`, with the blocks that it follows from. */
  async progressOf(action: PreparedActionEntity): Promise<ActionProgress> {
    const input = await this.inputOf(action);
    const block = executionOf(input)?.blockNumber ?? null;
    const finalAtBlock = block === null ? null : block + FINAL_AFTER_BLOCKS;
    return { ...actionStatusOf(input), block, finalAtBlock, headBlock: input.tip?.number ?? null };
  }

  private async inputOf(action: PreparedActionEntity, seen?: SeenTransactions): Promise<StatusInput> {
    const { transactionHash } = action;
    const [tip, standing, transaction] = await Promise.all([
      this.tip(),
      this.standingOf(action),
      this.transactionOf(action, transactionHash, seen),
    ]);
    // Read last: a state that the executed action has changed must never be seen without the fact that changed it.
    const facts = await this.factsOf(action);
    return this.decided(this.inputFrom(action, { ...standing, facts, tip, transaction }), seen);
  }

  /** What the action is judged by, with the one of its transactions that decides; the chain is asked about the second. */
  private async decided(input: JudgedInput, seen?: SeenTransactions): Promise<JudgedInput> {
    const first = { ...input, transaction: await this.settled(input) };
    if (!hangsOnSecond(first)) return first;
    const { secondHash: transactionHash, secondAt: submittedAt } = input.action;
    const transaction = await this.transactionOf(input.action, transactionHash, seen);
    const second = { ...first, action: { ...input.action, transactionHash, submittedAt }, transaction };
    return byItsTransactions(first, { ...second, transaction: await this.settled(second) });
  }

  /** `unreachable` for one that is not among those `seen`: it was handed in meanwhile, and nobody has asked about it. */
  private async transactionOf(
    action: Pick<PreparedActionEntity, 'actionIdHash'>,
    hash: Hex | null,
    seen?: SeenTransactions,
  ): Promise<HandedInTransaction | null> {
    if (hash === null) return null;
    if (seen === undefined) return this.outcomeOf(action, hash);
    return seen.get(hash) ?? { kind: 'unreachable' };
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
    const isAbout = transaction.isAbout ?? (await this.isAbout(action, action.transactionHash));
    return isAbout ? { kind: 'reverted', blockNumber } : transaction;
  }

  /** Whether a transaction's data has the action's id; false also while the chain cannot be asked. */
  private async isAbout({ actionIdHash }: Pick<PreparedActionEntity, 'actionIdHash'>, hash: Hex): Promise<boolean> {
    try {
      const data = await this.chain.transactionData(hash);
      return data !== null && carries(data, actionIdHash);
    } catch (error) {
      if (error instanceof ChainUnavailableError) return false;
      throw error;
    }
  }

  /** The newest block of the index; null while it has none. */
  async tip(): Promise<IndexedTip | null> {
    const [row] = await this.transactions.lookUp<NewestBlockRow>(INDEX_TIP, []);
    return row ? { number: row.number, timeMs: row.timestamp.getTime() } : null;
  }

  /** What the chain says now of one transaction that was handed in for an action. */
  async outcomeOf(
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
    const rows = await this.transactions.lookUp<ActionFactRow>(ACTION_FACTS, values);
    return factsByPlace(rows, 1)[0] ?? [];
  }

  private async standingOf({
    taskId,
    nodeId,
    nonce,
  }: PreparedActionEntity): Promise<ActionStanding & Pick<StatusInput, 'nodeVersion'>> {
    const named = readNodeNonce(nonce);
    const [row] = await this.transactions.lookUp<StandingRow>(STANDING, [
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
