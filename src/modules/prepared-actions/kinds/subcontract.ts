import { Injectable } from '@nestjs/common';
import {
  checksumAddress,
  type ContractCall,
  contractCall,
  type DecodedRevert,
  encodeSubcontract,
  escrowTypedData,
  type Funding,
  nodeNonce,
  senderAuth,
  type TypedData,
} from '#libs/contracts';
import type { ActionFields } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import { ChainConfig } from '../../../platform/chain/chain-config.js';
import { ApiError } from '../../../platform/http/api-error.js';
import { NodeAccess } from '../../escrow/node/node-access.js';
import type { QuoteEntity } from '../../quotes/quote/quote.entity.js';
import { nodeTerms, workerAuth } from '../../quotes/quote/quote-typed-data.js';
import { TaskAccess } from '../../tasks/visibility/task-access.js';
import { type FundingModeName, type FundingSource, type Payment, signedFunding } from '../money/funding-source.js';
import { FundingSources } from '../money/funding-sources.js';
import {
  afterWriting,
  PendingFinalizations,
  triedApart,
  unwrittenDetails,
  unwrittenOf,
} from '../money/pending-finalizations.js';
import type { NodeInput } from '../action/intent-inputs.js';
import type { OriginatingRequest } from '../action/originating-request.js';
import type { PreparedActionEntity } from '../action/prepared-action.entity.js';
import type { ActionIntent, ActionStanding, CheckedAction, PreparedKind, SignedCall } from '../action/prepared-kind.js';
import { storedBody, storedNode } from '../action/stored-request.js';
import { SubcontractBody, subcontractIn } from '../dto/subcontract.body.js';
import { quoteRefusalOf, trialFields } from '../checks/quote-refusals.js';
import { notFunded, SubcontractQuotes } from '../checks/subcontract-quotes.js';

/** The node that hires, the offer that is taken, and what both sides must agree on. */
export interface SubcontractInput extends NodeInput {
  readonly quoteId: string;
  readonly acceptWindowSeconds: number;
  /** Only for a quote that the hirer pays from its own wallet; absent: the mode that fits the wallet. */
  readonly fundingMode?: FundingModeName;
}

/**
 * A node's worker hires another worker under it, out of the node's own money or out of its wallet. What a time limit has sent
 * back from other subcontracts is the node's own money again, or the wallet's refund balance: where the price needs it, the
 * same call finalizes them first, which anybody may do.
 */
@Injectable()
export class Subcontract implements PreparedKind<SubcontractInput> {
  readonly scopes = ['worker'] as const;

  constructor(
    private readonly tasks: TaskAccess,
    private readonly nodes: NodeAccess,
    private readonly quotes: SubcontractQuotes,
    private readonly sources: FundingSources,
    private readonly ends: PendingFinalizations,
    private readonly config: ChainConfig,
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
    const offer = await this.quotes.shownTo(accountId, taskId, quoteId);
    const { quote } = offer;
    if (node.state !== 'funded') throw notFunded(`The node is ${node.state}; only a funded node can hire.`);
    this.quotes.refuseUnusable(offer, node, { acceptWindowSeconds, termsHash });
    const signer = checksumAddress(node.workerWallet);
    const escrowAddress = checksumAddress(node.escrowAddress);
    const payment = { escrowAddress, payer: signer, amount: quote.price };
    const takeUp = await this.quotes.refuseByChain(escrowAddress, nodeId, node, quote);
    const { latestSeconds } = takeUp;
    const source = await this.sourceOf(accountId, payment, quote, fundingMode);
    const unwritten = [...takeUp.unwritten, ...source.unwritten];
    const nonce = nodeNonce(quote.nodePath, 0);
    const ownMoney = quote.hirerFunded ? quote.price : 0n;
    const hiring = (fields: ActionFields, funding: Funding = source.funding): Hex =>
      encodeSubcontract(nodeTerms(quote), funding, senderAuth(fields), workerAuth(quote));
    const direct = (fields: ActionFields): ContractCall => afterWriting(escrowAddress, unwritten, hiring(fields));
    return {
      scope: 'worker',
      taskId,
      nodeId,
      escrowAddress,
      nonce,
      signer,
      ownMoney,
      payment: { to: checksumAddress(quote.workerWallet), amount: ownMoney },
      latestSeconds,
      details: {
        funding_mode: source.name,
        quote_id: quote.id,
        ...(unwritten.length === 0 ? {} : unwrittenDetails(unwritten)),
      },
      triedCalls: (fields) => {
        if (unwritten.length > 0) return triedApart(signer, escrowAddress, unwritten, null);
        return source.isReady ? [{ from: signer, ...direct(fields), asksWallets: true }] : [];
      },
      confirm: async () => {
        const refuse = (revert: DecodedRevert): ApiError | null => quoteRefusalOf(revert, quote.workerWallet);
        if (unwritten.length > 0) {
          await this.ends.tryOut(signer, unwritten, direct(trialFields(nonce)), refuse);
        } else {
          const trial = contractCall(escrowAddress, hiring(trialFields(nonce), source.trialFunding));
          await this.sources.tryOut({ from: signer, ...trial, asksWallets: true }, refuse);
        }
        return {
          typedData: (fields) =>
            source.typedData(this.actionData(escrowAddress, quote, source.funding.mode, fields), fields),
          directCalls: (fields) => source.directCalls([direct(fields)]),
        };
      },
    };
  }

  async signedCall(action: PreparedActionEntity, signature: Hex): Promise<SignedCall> {
    const quote = await this.quotes.takenBy(action);
    const { auth, funding, sender } = signedFunding(action, signature);
    const data = encodeSubcontract(nodeTerms(quote), funding, auth, workerAuth(quote));
    const call = afterWriting(checksumAddress(action.escrowAddress), unwrittenOf(action.details), data);
    return sender === null ? call : { from: sender, ...call };
  }

  isSupersededBy({ nodeState }: ActionStanding): boolean {
    return nodeState !== 'funded';
  }

  private async sourceOf(
    accountId: string,
    payment: Payment,
    { taskId, hirerFunded }: QuoteEntity,
    asked: FundingModeName | undefined,
  ): Promise<FundingSource> {
    if (hirerFunded) return this.sources.choose(payment, asked, { accountId, taskId });
    if (asked === undefined) return this.sources.fromParentNode(payment);
    throw new ApiError(
      'state_conflict',
      "The quote is paid out of the node's own money; no other way was agreed on.",
      'Leave funding_mode out, or ask for a quote that you pay from your wallet.',
    );
  }

  private actionData(escrowAddress: Hex, quote: QuoteEntity, fundingMode: number, fields: ActionFields): TypedData {
    const { chainId, usdcAddress: token } = this.config;
    const message = { terms: nodeTerms(quote), token, fundingMode, ...fields };
    return escrowTypedData('Subcontract', { chainId, escrowAddress }, message);
  }
}
