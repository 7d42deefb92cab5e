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

/** Which task, and how it is paid; without `fundingMode` the service chooses the mode that fits the wallet. */
export interface FundTaskInput {
  readonly taskId: string;
  readonly fundingMode?: FundingModeName;
}

/** A pending payment does not keep another from being prepared, because the chain funds the node only once. */
const FUNDABLE: readonly TaskStatus[] = ['selected', 'funding_pending'];
/** Seconds for which the quote must still stand; in less time no payment could be signed and mined. */
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
   * Also asks the chain, because the calls depend on it: whether the tree is deployed, what the wallet holds and how
   * much of it the escrow may take.
   */
  async check({ accountId }: ActionIntent, { taskId, fundingMode }: FundTaskInput): Promise<CheckedAction> {
    const kept = this.bundle.keptAhead(taskId);
    const task = await this.access.find(accountId, taskId);
    if (task.buyerAccountId !== accountId) {
      throw new ApiError('not_task_buyer', 'Only the buyer of this task may fund it.');
    }
    refuseUnfundable(task);
    const tree = await this.bundle.callsOf(task, kept);
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
      // A payment cannot be tried before the tree's escrow is deployed; `confirm` then tries the call that deploys it.
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
    // The factory would be the sender of a call that it passes on, and this one must come from the wallet.
    if (sender !== null) throw permitTooEarly();
    return tree.createTree([...tree.opening, payment]);
  }

  /** From now on the payment can be sent: the task shows it as pending until the signature or the quote ends. */
  async onSigned(manager: EntityManager, action: PreparedActionEntity): Promise<void> {
    await this.tasks.markFundingSubmitted(manager, taskIdOf(action), lastUse(action));
  }

  /**
   * As `onSigned`. Without a signature nothing was verified: the task shows the payment as pending only for `HINT_MS`, in
   * which a transaction reaches a block. A task that refuses the mark is no error: the transaction is stored all the same.
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

  /** The selected root, while it can be funded. @throws ApiError `quote_expired`, `state_conflict` when none is selected. */
  private standing(task: TaskEntity, root: SelectedRoot | null): SelectedRoot {
    const now = this.clock.nowSeconds();
    if (root !== null && root.fundBy - now >= MIN_STANDING) return root;
    const { selectionUntil } = task;
    if (root !== null || (selectionUntil !== null && selectionUntil.getTime() < now * 1000)) throw quoteOver();
    throw selectionGone();
  }

  /** The quote's end as the last second of the action, where that comes first: after it nothing could be paid. */
  private lastSecond({ fundBy }: SelectedRoot): { validUntilSeconds?: number } {
    const endsFirst = fundBy < this.clock.nowSeconds() + this.environment.actionTtlSeconds;
    return endsFirst ? { validUntilSeconds: fundBy } : {};
  }
}

/**
 * The calls that the payer itself sends. Until the escrow is deployed the payment is a call of its own, because the
 * factory cannot pass on a call that carries no signature.
 */
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

/** The last moment at which the signature can make the payment. */
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
