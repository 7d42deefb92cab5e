import { Injectable } from '@nestjs/common';
import {
  checksumAddress,
  type ContractCall,
  contractCall,
  encodeFundTask,
  encodeMulticall,
  escrowTypedData,
  senderAuth,
  type TaskStatus,
} from '#libs/contracts';
import type { ActionFields } from '#libs/contracts';
import { type Hex, nodeIdOf } from '#libs/kernel';
import type { EntityManager } from 'typeorm';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { Environment } from '../../../platform/config/environment.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { TaskStore } from '../../tasks/task-store.js';
import { HINT_MS } from '../action/action-status.js';
import { type FundingModeName, signedFunding } from '../money/funding-source.js';
import { FundingSources } from '../money/funding-sources.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type {
  ActionIntent,
  ActionStanding,
  CheckedAction,
  PreparedKind,
  SignedCall,
  TriedCall,
} from '../action/prepared-kind.js';
import { storedBody, storedTask } from '../action/stored-request.js';
import { FundingBody, fundingIn } from '../dto/funding.body.js';
import { quoteRefusalOf, TRIAL_FIELDS } from '../checks/quote-refusals.js';
import { type SelectedRoot, TreeTransaction, type TreeCalls } from '../money/tree-transaction.js';

/** Which task, and by which way its money comes; absent: the way that fits the wallet. */
export interface FundTaskInput {
  readonly taskId: string;
  readonly fundingMode?: FundingModeName;
}

/** A payment that is not made yet does not keep another from being prepared: the node can only be funded once. */
const FUNDABLE: readonly TaskStatus[] = ['selected', 'funding_pending'];
/** Seconds that the quote must still stand: less could not be signed and mined. */
const MIN_STANDING = 60;

/**
 * The buyer brings the money of the selected root node into the tree's escrow (docs/decisions/escrow.md#signed-actions,
 * `fund_task`).
 */
@Injectable()
export class FundTask implements PreparedKind<FundTaskInput> {
  readonly scopes = ['buyer'] as const;

  constructor(
    private readonly access: TaskAccess,
    private readonly tasks: TaskStore,
    private readonly bundle: TreeTransaction,
    private readonly sources: FundingSources,
    private readonly config: ChainConfig,
    private readonly environment: Environment,
    private readonly clock: Clock,
  ) {}

  inputOf(request: OriginatingRequest): FundTaskInput {
    return { ...storedTask(request), ...fundingIn(storedBody(FundingBody, request)) };
  }

  /**
   * Asks the chain for what its calls are made of as well: whether the tree exists, what the wallet has and lets the
   * escrow take.
   */
  async check({ accountId }: ActionIntent, { taskId, fundingMode }: FundTaskInput): Promise<CheckedAction> {
    const task = await this.access.find(accountId, taskId);
    if (task.buyerAccountId !== accountId) {
      throw new ApiError('not_task_buyer', 'Only the buyer of this task may fund it.');
    }
    refuseUnfundable(task);
    const tree = await this.bundle.callsFor(taskId);
    const root = this.standing(task, tree.selected);
    const escrowAddress = checksumAddress(task.escrowAddress);
    const signer = checksumAddress(task.buyerWallet);
    const source = await this.sources.choose({ escrowAddress, payer: signer, amount: root.amount }, fundingMode);
    if (source.name === 'permit' && !tree.isDeployed) throw permitTooEarly();
    const direct = (fields: ActionFields, funding = source.funding): ContractCall[] =>
      directCalls(tree, escrowAddress, encodeFundTask(root.nodeNumber, funding, senderAuth(fields)));
    return {
      scope: 'buyer',
      taskId,
      nodeId: nodeIdOf(taskId, root.nodeNumber),
      escrowAddress,
      signer,
      ownMoney: root.amount,
      ...this.lastSecond(root),
      details: {
        funding_mode: source.name,
        node_number: root.nodeNumber,
        quote_id: root.quote.id,
        fund_by: root.fundBy,
      },
      // Without its escrow a tree takes no payment that could be tried; what opens it is.
      triedCalls: (fields) => (tree.isDeployed && source.isReady ? from(signer, direct(fields)) : []),
      confirm: async () => {
        const [trial] = from(signer, direct(TRIAL_FIELDS, source.trialFunding));
        if (trial) await this.sources.tryOut(trial, (revert) => quoteRefusalOf(revert, root.worker));
        return {
          typedData: (fields) => source.typedData(this.actionData(escrowAddress, root, fields), fields),
          directCalls: (fields) => source.directCalls(direct(fields)),
        };
      },
    };
  }

  /** The whole transaction: the tree and its selection where the chain does not have them yet, then the payment. */
  async signedCall(action: PreparedActionEntity, signature: Hex): Promise<SignedCall> {
    const { auth, funding, sender } = signedFunding(action, signature);
    const tree = await this.bundle.callsFor(taskIdOf(action));
    const { selected } = tree;
    if (selected === null || selected.quote.id !== action.details['quote_id']) throw selectionGone();
    const payment = encodeFundTask(selected.nodeNumber, funding, auth);
    if (tree.isDeployed) {
      const call = onEscrow(checksumAddress(action.escrowAddress), tree.opening, payment);
      return sender === null ? call : { from: sender, ...call };
    }
    // What the factory passes on has the factory as its sender.
    if (sender !== null) throw permitTooEarly();
    return tree.createTree([...tree.opening, payment]);
  }

  /** The payment can come from now on: the task says so until the signature or the quote ends. */
  async onSigned(manager: EntityManager, action: PreparedActionEntity): Promise<void> {
    await this.tasks.markFundingSubmitted(manager, taskIdOf(action), lastUse(action));
  }

  /**
   * As `onSigned`, but without a signature nothing was verified: the task says so for the two minutes in which a transaction
   * comes into a block. One that comes too late for that is kept all the same.
   */
  async onSent(manager: EntityManager, action: PreparedActionEntity): Promise<void> {
    const last = lastUse(action);
    const hint = new Date(Math.min(last.getTime(), this.clock.nowMs() + HINT_MS));
    try {
      await this.tasks.markFundingSubmitted(manager, taskIdOf(action), action.signature === null ? hint : last);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  isSupersededBy({ nodeState, taskStatus }: ActionStanding): boolean {
    return nodeState !== null || taskStatus === null || !FUNDABLE.includes(taskStatus);
  }

  private actionData(escrowAddress: Hex, { nodeNumber, worker, amount }: SelectedRoot, fields: ActionFields) {
    const { chainId, usdcAddress: token } = this.config;
    return escrowTypedData(
      'FundTask',
      { chainId, escrowAddress },
      { nodeId: nodeNumber, worker, token, amount, ...fields },
    );
  }

  /** The selected root while it can be funded; what the chain has decided comes before what is written here. */
  private standing(task: TaskEntity, root: SelectedRoot | null): SelectedRoot {
    const now = this.clock.nowSeconds();
    if (root !== null && root.fundBy - now >= MIN_STANDING) return root;
    const { selectionUntil } = task;
    if (root !== null || (selectionUntil !== null && selectionUntil.getTime() < now * 1000)) throw quoteOver();
    throw selectionGone();
  }

  /** A payment that cannot be executed after the quote's end is not offered for signing after it. */
  private lastSecond({ fundBy }: SelectedRoot): { validUntilSeconds?: number } {
    const endsFirst = fundBy < this.clock.nowSeconds() + this.environment.actionTtlSeconds;
    return endsFirst ? { validUntilSeconds: fundBy } : {};
  }
}

/** What the payer sends by itself; the factory cannot pass on a call that carries no signature. */
function directCalls(tree: TreeCalls, escrow: Hex, payment: Hex): ContractCall[] {
  if (tree.isDeployed) return [onEscrow(escrow, tree.opening, payment)];
  return [tree.createTree(tree.opening), contractCall(escrow, payment)];
}

function onEscrow(escrow: Hex, opening: readonly Hex[], payment: Hex): ContractCall {
  return contractCall(escrow, opening.length === 0 ? payment : encodeMulticall([...opening, payment]));
}

function from(signer: Hex, calls: readonly ContractCall[]): TriedCall[] {
  return calls.map(({ to, data }) => ({ from: signer, to, data, asksWallets: true }));
}

/** The last moment at which the signature could bring the money. */
function lastUse({ validUntil, details }: PreparedActionEntity): Date {
  return new Date(Math.min(validUntil.getTime(), Number(details['fund_by']) * 1000));
}

function taskIdOf({ taskId }: PreparedActionEntity): string {
  if (taskId === null) throw new TypeError('A payment is always for a task');
  return taskId;
}

function refuseUnfundable({ status, selectedQuoteId }: TaskEntity): void {
  if (FUNDABLE.includes(status)) return;
  if (status === 'open' && selectedQuoteId !== null) throw quoteOver();
  const selectFirst = status === 'open' || status === 'refunded';
  throw new ApiError(
    'state_conflict',
    `The task is ${status}; only a task whose buyer has selected an agent can be funded.`,
    selectFirst ? 'Select an agent and hand in the signature first.' : 'Read the task again; it says what can be done.',
  );
}

function quoteOver(): ApiError {
  return new ApiError('quote_expired', "The selected agent's quote no longer stands.", 'Select another quote.');
}

function selectionGone(): ApiError {
  return new ApiError(
    'state_conflict',
    'The selection that was to be funded no longer waits for money on the chain.',
    'Read the task again; it may be funded already, or another agent selected.',
  );
}

function permitTooEarly(): ApiError {
  return new ApiError(
    'state_conflict',
    'A permit is used by a transaction of the wallet itself, and the escrow of this task is not deployed yet.',
    'Send the transaction of the signed selection first, or leave funding_mode out.',
  );
}
