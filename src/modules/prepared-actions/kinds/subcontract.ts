import { Injectable } from '@nestjs/common';
import {
  checksumAddress,
  type ContractCall,
  contractCall,
  encodeSubcontract,
  escrowTypedData,
  type Funding,
  NodeState,
  senderAuth,
  type StoredNode,
} from '#libs/contracts';
import type { ActionFields } from '#libs/contracts';
import { formatUsdc, type Hex } from '#libs/kernel';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { Clock } from '../../../platform/time/clock.js';
import { AgentsService } from '../../agents/agents.service.js';
import { type AccessibleNode, NodeAccess } from '../../escrow/node/node-access.js';
import { QuoteEntity } from '../../quotes/quote/quote.entity.js';
import { quoteStatusAt, UNSIGNED_STATUSES } from '../../quotes/quote/quote.lifecycle.js';
import { nodeTerms, unixSeconds, workerAuth } from '../../quotes/quote/quote-typed-data.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import { type FundingModeName, type FundingSource, type Payment, signedFunding } from '../money/funding-source.js';
import { FundingSources } from '../money/funding-sources.js';
import type { NodeInput } from '../action/intent-inputs.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind, SignedCall } from '../action/prepared-kind.js';
import { storedBody, storedNode } from '../action/stored-request.js';
import { SubcontractBody, subcontractIn } from '../dto/subcontract.body.js';
import { quoteRefusalOf, TRIAL_FIELDS } from '../checks/quote-refusals.js';

/** The node that hires, the offer that is taken, and what both sides must agree on. */
export interface SubcontractInput extends NodeInput {
  readonly quoteId: string;
  readonly acceptWindowSeconds: number;
  /** Only for a quote that the hirer pays from its own wallet; absent: the mode that fits the wallet. */
  readonly fundingMode?: FundingModeName;
}

/** A node's worker hires another worker under it, out of the node's own money or out of its wallet. */
@Injectable()
export class Subcontract implements PreparedKind<SubcontractInput> {
  readonly scopes = ['worker'] as const;

  constructor(
    private readonly transactions: Transactions,
    private readonly tasks: TaskAccess,
    private readonly nodes: NodeAccess,
    private readonly agents: AgentsService,
    private readonly sources: FundingSources,
    private readonly chain: ChainClient,
    private readonly config: ChainConfig,
    private readonly clock: Clock,
  ) {}

  inputOf(request: OriginatingRequest): SubcontractInput {
    return { ...storedNode(request), ...subcontractIn(storedBody(SubcontractBody, request)) };
  }

  /** Checks the node in the path before the quote in the body: who may not hire under the node learns of no quote. */
  async check({ accountId }: ActionIntent, input: SubcontractInput): Promise<CheckedAction> {
    const { taskId, nodeId, quoteId, acceptWindowSeconds, fundingMode } = input;
    const { termsHash } = await this.tasks.find(accountId, taskId);
    const node = await this.nodes.find(accountId, taskId, nodeId);
    if (node.workerAccountId !== accountId) {
      throw new ApiError('not_node_worker', 'Only the worker of this node may hire under it.');
    }
    const quote = await this.quoteFor(accountId, taskId, quoteId);
    if (node.state !== 'funded') throw notFunded(`The node is ${node.state}; only a funded node can hire.`);
    this.refuseUnusable(quote, node, { acceptWindowSeconds, termsHash });
    await this.refuseSuspended(quote);
    const signer = checksumAddress(node.workerWallet);
    const escrowAddress = checksumAddress(node.escrowAddress);
    const payment = { escrowAddress, payer: signer, amount: quote.price };
    await this.refuseByChain(escrowAddress, node, quote);
    const source = await this.sourceOf(payment, quote, fundingMode);
    const direct = (fields: ActionFields, funding: Funding = source.funding): ContractCall =>
      contractCall(escrowAddress, encodeSubcontract(nodeTerms(quote), funding, senderAuth(fields), workerAuth(quote)));
    return {
      scope: 'worker',
      taskId,
      nodeId,
      escrowAddress,
      signer,
      ownMoney: quote.hirerFunded ? quote.price : 0n,
      details: { funding_mode: source.name, node_number: quote.nodeNumber, quote_id: quote.id },
      triedCalls: (fields) => (source.isReady ? [{ from: signer, ...direct(fields), asksWallets: true }] : []),
      confirm: async () => {
        const trial = { from: signer, ...direct(TRIAL_FIELDS, source.trialFunding), asksWallets: true };
        await this.sources.tryOut(trial, (revert) => quoteRefusalOf(revert, quote.workerWallet));
        return {
          typedData: (fields) => source.typedData(this.actionData(escrowAddress, quote, fields), fields),
          directCalls: (fields) => source.directCalls([direct(fields)]),
        };
      },
    };
  }

  async signedCall(action: PreparedActionEntity, signature: Hex): Promise<SignedCall> {
    const quote = await this.transactions.manager.findOneBy(QuoteEntity, { id: String(action.details['quote_id']) });
    if (!quote || quote.signature === null) {
      throw new ApiError('state_conflict', 'The quote that was to be taken is gone.', 'Take another quote.');
    }
    const { auth, funding, sender } = signedFunding(action, signature);
    const data = encodeSubcontract(nodeTerms(quote), funding, auth, workerAuth(quote));
    const call = contractCall(action.escrowAddress, data);
    return sender === null ? call : { from: sender, ...call };
  }

  isSupersededBy({ nodeState }: ActionStanding): boolean {
    return nodeState !== 'funded';
  }

  /** The quote as the hirer may see it: signed, and for a node of this task. */
  private async quoteFor(accountId: string, taskId: string, quoteId: string): Promise<QuoteEntity> {
    const quote = await this.transactions.manager.findOneBy(QuoteEntity, { id: quoteId, taskId });
    const isShown = quote?.payerAccountId === accountId && !UNSIGNED_STATUSES.some((status) => status === quote.status);
    if (!quote || !isShown) throw new ApiError('not_found', 'There is no such quote for this task.');
    return quote;
  }

  /** A quote stays valid while its agent is inactive, because it is signed; a suspension by the operator ends it. */
  private async refuseSuspended({ agentId }: QuoteEntity): Promise<void> {
    const agent = await this.agents.get(agentId);
    if (agent.status === 'suspended') {
      throw new ApiError('state_conflict', 'The operator has suspended the agent of this quote.', ANOTHER_QUOTE);
    }
  }

  private refuseUnusable(
    quote: QuoteEntity,
    node: AccessibleNode,
    asked: { acceptWindowSeconds: number; termsHash: string },
  ): void {
    if (quote.parentNodeNumber !== node.number) {
      throw new ApiError('state_conflict', 'The quote is for another node.', 'Take a quote for a node under this one.');
    }
    const status = quoteStatusAt(quote.status, unixSeconds(quote.validUntil), this.clock.nowSeconds());
    if (status === 'expired') throw new ApiError('quote_expired', 'The quote no longer stands.', ANOTHER_QUOTE);
    if (status !== 'submitted' || quote.signature === null) {
      throw new ApiError('state_conflict', `The quote is ${status}; only a submitted one can be taken.`, ANOTHER_QUOTE);
    }
    if (quote.acceptWindowSeconds !== asked.acceptWindowSeconds) {
      throw new ApiError(
        'terms_mismatch',
        'The quote was signed for another accept window.',
        `Ask with accept_window_seconds ${quote.acceptWindowSeconds}, or for a new quote.`,
      );
    }
    if (quote.termsHash.toLowerCase() !== asked.termsHash.toLowerCase()) {
      throw new ApiError('terms_mismatch', "The quote was signed for other terms than the task's.", ANOTHER_QUOTE);
    }
  }

  /** Refuses by the chain's latest state of parent and child; rules about the whole tree are left to the tried call. */
  private async refuseByChain(escrow: Hex, node: AccessibleNode, quote: QuoteEntity): Promise<void> {
    const [parent, child] = await Promise.all([
      this.chain.nodeAt(escrow, node.number),
      this.chain.nodeAt(escrow, quote.nodeNumber),
    ]);
    if (parent?.state !== NodeState.Funded) {
      throw notFunded('The node is no longer funded on the chain; the index has not caught up yet.');
    }
    if (parent.worker !== node.workerWallet) {
      throw new ApiError('wallet_mismatch', 'The wallet known for this node is not the one the chain would accept.');
    }
    if (child !== null) {
      throw new ApiError('state_conflict', 'The quote has been taken up already.', 'Read the nodes of the task again.');
    }
    this.refuseUnfitting(parent, quote);
  }

  private refuseUnfitting({ deliverBy, amount, allocated }: StoredNode, quote: QuoteEntity): void {
    if (this.clock.nowSeconds() >= deliverBy) {
      throw new ApiError('window_closed', "The node's time to deliver is over; nobody can be hired under it any more.");
    }
    if (unixSeconds(quote.deadline) > deliverBy) {
      throw new ApiError('nesting_violation', "The quote's deadline is after the node's own.", ANOTHER_QUOTE);
    }
    const unallocated = amount - allocated;
    if (!quote.hirerFunded && quote.price > unallocated) {
      throw new ApiError(
        'insufficient_unallocated',
        `Of the node's money ${formatUsdc(unallocated)} USDC are not promised to others, which is less than the price.`,
        'Wait until a subcontract gives its money back, or take a quote that you pay from your wallet.',
      );
    }
  }

  private async sourceOf(
    payment: Payment,
    { hirerFunded }: QuoteEntity,
    asked: FundingModeName | undefined,
  ): Promise<FundingSource> {
    if (hirerFunded) return this.sources.choose(payment, asked);
    if (asked === undefined) return this.sources.fromParentNode(payment);
    throw new ApiError(
      'state_conflict',
      "The quote is paid out of the node's own money; no other way was agreed on.",
      'Leave funding_mode out, or ask for a quote that you pay from your wallet.',
    );
  }

  private actionData(escrowAddress: Hex, quote: QuoteEntity, fields: ActionFields) {
    const { chainId, usdcAddress: token } = this.config;
    return escrowTypedData('Subcontract', { chainId, escrowAddress }, { terms: nodeTerms(quote), token, ...fields });
  }
}

const ANOTHER_QUOTE = 'Take another quote, or ask for a new one.';

function notFunded(reason: string): ApiError {
  return new ApiError('node_not_funded', reason, 'Read the node again; its state says what can be done now.');
}
