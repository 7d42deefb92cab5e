import { Injectable } from '@nestjs/common';
import {
  type ContractCall,
  contractCall,
  encodeCreateTask,
  encodeCreateTree,
  encodeSelectAgent,
  NodeState,
  type StoredNode,
  treeIdOf,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { wantedLater } from '../../../platform/database/reads/wanted-later.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { Clock } from '../../../platform/time/clock.js';
import { QuoteEntity, type QuoteStatus } from '../../quotes/quote/quote.entity.js';
import { nodeTerms, unixSeconds, workerAuth } from '../../quotes/quote/quote-typed-data.js';
import { TaskEntity } from '../../tasks/task/task.entity.js';
import { PreparedActionEntity } from '../action/prepared-action.entity.js';
import { KEPT_CREATION, KEPT_SELECTION, ROOT_QUOTES } from './kept-calls.sql.js';
import { actionFieldsOf, messageOf, readBytes32, readUint } from '../payload/typed-message.js';

/** The root node that waits for its money, selected on chain or by a signature that is kept here. */
export interface SelectedRoot {
  readonly quote: QuoteEntity;
  readonly nodeNumber: number;
  /** EIP-55. */
  readonly worker: string;
  /** Base units. */
  readonly amount: bigint;
  /** Last second at which it may be funded: the quote's, and never later than its delivery deadline. */
  readonly fundBy: number;
  readonly isOnChain: boolean;
}

/** What a tree needs before it can be paid; `createTree` makes all of it one transaction. */
export interface TreeCalls {
  /** True when the tree's escrow exists at the latest block. */
  readonly isDeployed: boolean;
  /** Signed `createTask` and `selectAgent` that the chain does not have yet, in the order in which they must run. */
  readonly opening: readonly Hex[];
  /** Null when no selection stands. */
  readonly selected: SelectedRoot | null;
  /** The factory's call that deploys the escrow where it is missing, then makes these calls; each needs a signature. */
  createTree(calls: readonly Hex[]): ContractCall;
}

/** The signed `create_task` of a task; null when there is none. */
export type KeptCreation = Promise<PreparedActionEntity | null>;

/** What is kept for the tree of a task. It is read beside the task, so each part is matched with what the task says. */
export interface KeptRows {
  readonly creation: KeptCreation;
  /** Offers for the roots that may wait for money. */
  readonly quotes: Promise<readonly QuoteEntity[]>;
  /** The action of the last selection, if there is one. */
  readonly selection: Promise<readonly PreparedActionEntity[]>;
}

/** What a quote's status may be while its selection stands. */
const STANDING: readonly QuoteStatus[] = ['submitted', 'accepted'];

/** A selection that its buyer has signed and that may still be used. */
interface KeptSelection {
  readonly quote: QuoteEntity;
  /** Null: the buyer sent the selection itself, and it is on the chain already. */
  readonly action: PreparedActionEntity | null;
}

/**
 * Makes the calls that take signed offers, terms and selections to the chain together with the next transaction, because
 * they have no transaction of their own (docs/decisions/escrow.md#kept-signatures). What is on the chain already is left
 * out.
 */
@Injectable()
export class TreeTransaction {
  constructor(
    private readonly transactions: Transactions,
    private readonly chain: ChainClient,
    private readonly config: ChainConfig,
    private readonly clock: Clock,
  ) {}

  /** Starts to read what is kept for the tree of a task, before the task itself is known. */
  keptAhead(taskId: string): KeptRows {
    return {
      creation: this.creationAhead(taskId),
      quotes: wantedLater(ROOT_QUOTES.find(this.transactions, [taskId])),
      selection: wantedLater(KEPT_SELECTION.find(this.transactions, [taskId])),
    };
  }

  /** Starts to read the signed `create_task` of a task; null when there is none. */
  creationAhead(taskId: string): KeptCreation {
    const found = KEPT_CREATION.find(this.transactions, [taskId]);
    return wantedLater(found.then(([creation = null]) => creation));
  }

  /** As `callsOf`, for a task that was not read yet. @throws EntityNotFoundError; as `callsOf`. */
  async callsFor(taskId: string): Promise<TreeCalls> {
    const kept = this.keptAhead(taskId);
    return this.callsOf(await this.transactions.manager.findOneByOrFail(TaskEntity, { id: taskId }), kept);
  }

  /**
   * What the tree needs before the root node that was selected last can be funded, by the chain's latest state.
   * @param kept what `keptAhead` has found for the task.
   * @throws ChainUnavailableError.
   */
  async callsOf(task: TaskEntity, kept: KeptRows): Promise<TreeCalls> {
    const creation = await kept.creation;
    const selection = await this.keptSelection(task, kept);
    const [code, createTask, node] = await Promise.all([
      this.chain.codeAt(task.escrowAddress),
      this.missingCreation(creation),
      selection === null ? null : this.chain.nodeAt(task.escrowAddress, selection.quote.nodeNumber),
    ]);
    const selected = selection === null ? null : this.rootOf(selection, node);
    const selectAgent = selected?.isOnChain === false ? signedSelection(selection) : null;
    return {
      isDeployed: code !== '0x',
      opening: [createTask, selectAgent].filter((call) => call !== null),
      selected,
      createTree: (calls) => this.createTree(task, calls),
    };
  }

  /**
   * One call of the factory. It deploys the task's escrow where that is missing, makes the signed `createTask` where the
   * chain does not have that yet, then makes `calls` on the escrow.
   * @param creation what `creationAhead` has found for the task, where it was asked before.
   * @throws ChainUnavailableError.
   */
  async carrying(
    task: TaskEntity,
    calls: readonly Hex[],
    creation: KeptCreation = this.creationAhead(task.id),
  ): Promise<ContractCall> {
    const createTask = await this.missingCreation(await creation);
    return this.createTree(task, createTask === null ? calls : [createTask, ...calls]);
  }

  /** The factory's call for a task's tree. */
  createTree({ id, buyerWallet, arbiterWallet }: TaskEntity, calls: readonly Hex[] = []): ContractCall {
    const tree = { buyer: buyerWallet, arbiter: arbiterWallet, treeId: treeIdOf(id) };
    return contractCall(this.config.factoryAddress, encodeCreateTree(tree, calls));
  }

  /** The signed `createTask`, unless the chain has used or cancelled its nonce or its time is over. */
  private async missingCreation(action: PreparedActionEntity | null): Promise<Hex | null> {
    if (action === null || action.signature === null) return null;
    const message = messageOf(action.payload);
    const fields = actionFieldsOf(message);
    if (fields.validUntil < BigInt(this.clock.nowSeconds())) return null;
    const word = await this.chain.nonceWord(action.escrowAddress, action.walletAddress, fields.nonce);
    if (word.isUsed(fields.nonce)) return null;
    const task = { budget: readUint(message, 'budget'), termsHash: readBytes32(message, 'termsHash') };
    return encodeCreateTask(task, { ...fields, signature: action.signature });
  }

  /** The signed selection while it stands and its node is not on the chain yet (task.lifecycle.ts), else the newest root. */
  private async keptSelection(task: TaskEntity, kept: KeptRows): Promise<KeptSelection | null> {
    const { id: taskId, selectionNodeNumber, selectionActionId, selectionUntil, openedRoots } = task;
    const stands = selectionUntil !== null && selectionUntil.getTime() >= this.clock.nowMs();
    const isAhead = stands && selectionNodeNumber !== null && !openedRoots.includes(selectionNodeNumber);
    const nodeNumber = isAhead ? selectionNodeNumber : openedRoots.at(-1);
    if (nodeNumber === undefined) return null;
    const { manager } = this.transactions;
    // What was read ahead may be of another moment than the task, whose selection or newest root was another one then.
    const quote =
      (await kept.quotes).find((one) => one.nodeNumber === nodeNumber) ??
      (await manager.findOneBy(QuoteEntity, { taskId, nodeNumber }));
    if (!quote || !STANDING.includes(quote.status)) return null;
    if (!isAhead || selectionActionId === null) return { quote, action: null };
    const action =
      (await kept.selection).find(({ id }) => id === selectionActionId) ??
      (await manager.findOneBy(PreparedActionEntity, { id: selectionActionId }));
    return { quote, action };
  }

  /** Null when the node is not (or no longer) one that waits for money. */
  private rootOf({ quote, action }: KeptSelection, node: StoredNode | null): SelectedRoot | null {
    if (node === null && (action === null || quote.signature === null)) return null;
    if (node !== null && node.state !== NodeState.Selected) return null;
    const fundBy = node?.clock ?? Math.min(unixSeconds(quote.validUntil), unixSeconds(quote.deadline));
    if (this.clock.nowSeconds() > fundBy) return null;
    return {
      quote,
      nodeNumber: quote.nodeNumber,
      worker: node?.worker ?? quote.workerWallet,
      amount: node?.amount ?? quote.price,
      fundBy,
      isOnChain: node !== null,
    };
  }
}

function signedSelection(selection: KeptSelection | null): Hex | null {
  if (selection === null || selection.action === null || selection.action.signature === null) return null;
  const { quote, action } = selection;
  const auth = { ...actionFieldsOf(messageOf(action.payload)), signature: selection.action.signature };
  return encodeSelectAgent(nodeTerms(quote), auth, workerAuth(quote));
}
