import {
  type ActionAuth,
  encodeFundTask,
  encodePermitNonceCall,
  encodeSubcontract,
  encodeTokenApprove,
  FundingMode,
  nodeNonce,
  type NodeTerms,
} from '#libs/contracts';
import { type Hex, newId } from '#libs/kernel';
import type { AgentEntity } from '../../../modules/agents/agent/agent.entity.js';
import type { QuoteEntity } from '../../../modules/quotes/quote/quote.entity.js';
import { nodeTerms, quoteTypedData } from '../../../modules/quotes/quote/quote-typed-data.js';
import type { Mined } from '../../local-chain/local-chain.js';
import { signedAuth, signTypedData } from './action-signer.js';
import type { SeedServices } from './seed-services.js';
import type { Participant } from './participant.js';
import type { TaskTree } from './task-tree.js';

/** How often an offer lets its worker deliver again, unless it says otherwise. */
const DEFAULT_REVISIONS = 3;

/** Terms of a worker's offer. */
export interface OfferTerms {
  /** Base units. */
  price: bigint;
  /** Base units. Default: half the price. */
  floor?: bigint;
  /** Seconds to work, from the payment on. */
  workSeconds: number;
  /** Default: 3. */
  maxRevisions?: number;
  /** Unix seconds. */
  validUntil: number;
  /** The parent node's offer; absent for a root node. */
  parent?: Offer;
  /** True: the hirer funds the child node from its own wallet. */
  hirerFunded?: boolean;
}

/** An offer that the worker has signed and the service has stored. */
export interface Offer {
  quote: QuoteEntity;
  terms: NodeTerms;
  workerAuth: ActionAuth;
  worker: Participant;
  hirer: Participant;
}

/** Hires agents in one task's tree: quotes and selections through the service's code, payments on the chain. */
export class Hiring {
  constructor(
    readonly tree: TaskTree,
    private readonly services: SeedServices,
    private readonly chainId: number,
  ) {}

  /** Makes an offer that its worker has not signed. */
  async draft(worker: Participant, agent: AgentEntity, terms: OfferTerms): Promise<QuoteEntity> {
    return this.services.quotes.draft(worker.account, (await this.offer(worker, agent, terms)).offer);
  }

  /** Makes an offer that its worker has signed; the payer sees it. */
  async quote(worker: Participant, agent: AgentEntity, terms: OfferTerms): Promise<Offer> {
    const { task, escrow } = this.tree;
    const { offer, fields } = await this.offer(worker, agent, terms);
    const hirer = terms.parent?.worker ?? this.tree.buyer;
    const { acceptWindowSeconds } = task;
    const signedTerms = { ...offer, workerWallet: worker.wallet.address, acceptWindowSeconds };
    const target = {
      chainId: this.chainId,
      escrowAddress: escrow,
      token: this.tree.deployment.usdc,
      hirerWallet: hirer.wallet.address,
    };
    const data = quoteTypedData(signedTerms, { ...target, arbiterWallet: task.arbiterWallet });
    const signature = signTypedData(worker.wallet, data);
    const quote = await this.services.quotes.submitSigned(worker.account, { ...offer, signature });
    return { quote, terms: nodeTerms(signedTerms), workerAuth: signedAuth(fields, signature), worker, hirer };
  }

  /** The buyer selects a root node's offer. Its signature only counts in the service, so nothing is sent to the chain. */
  async select({ quote }: Offer): Promise<void> {
    const { transactions, tasks, nowMs } = this.services;
    const { id: quoteId, agentId, nodePath, validUntil: until } = quote;
    const selection = { quoteId, actionId: newId('act', nowMs), agentId, nodePath, until };
    await transactions.run((manager) => tasks.markSelected(manager, this.tree.task.id, selection));
  }

  /** The buyer takes up a root node's offer and pays for it, which deploys the tree's escrow. */
  async fund({ terms, workerAuth }: Offer, mode: FundingMode = FundingMode.Authorization3009): Promise<Mined> {
    const { tree } = this;
    // The payment is signed also in a `direct` tree: inside the deployment, the factory is the sender.
    const paid = await this.pay('FundTask', tree.buyer, terms, mode);
    return tree.create(encodeFundTask(terms, { mode, permit: paid.permit }, paid.auth, workerAuth));
  }

  /** The parent's worker selects and funds a child's offer. `another` replaces the default funding mode. */
  async subcontract({ terms, workerAuth, hirer }: Offer, another?: FundingMode): Promise<Mined> {
    const mode = another ?? (terms.hirerFunded ? FundingMode.Authorization3009 : FundingMode.ParentNode);
    const paid = await this.pay('Subcontract', hirer, terms, mode);
    return this.tree.relay(encodeSubcontract(terms, { mode, permit: paid.permit }, paid.auth, workerAuth));
  }

  /** Signs the hiring and what its funding mode needs, and sends the approval for `Allowance`. */
  private async pay(
    type: 'FundTask' | 'Subcontract',
    payer: Participant,
    terms: NodeTerms,
    fundingMode: FundingMode,
  ): Promise<{ auth: ActionAuth; permit: Hex }> {
    const { tree } = this;
    const { signer, chain, usdc: token } = tree.deployment;
    const { fields } = await tree.open(payer, type, nodeNonce(terms.nodeId, 0));
    const message = { terms, token, fundingMode, ...fields };
    const [owner, value] = [payer.wallet.address, terms.amount];
    if (fundingMode === FundingMode.Authorization3009) {
      // The token allows a payment before this second, the escrow until it.
      const times = { validAfter: 0n, validBefore: fields.validUntil + 1n };
      const nonce = signer.digest(tree.escrow, type, message);
      const authorization = { from: owner, to: tree.escrow, value, ...times, nonce };
      const signature = signer.signToken(payer.wallet, 'ReceiveWithAuthorization', authorization);
      return { auth: signedAuth(fields, signature), permit: '0x' };
    }
    const auth = signedAuth(fields, signer.sign(payer.wallet, tree.escrow, type, message));
    if (fundingMode === FundingMode.Permit) {
      const nonce = await this.permitNonce(owner);
      const permit = { owner, spender: tree.escrow, value, nonce, deadline: fields.validUntil };
      return { auth, permit: signer.signToken(payer.wallet, 'Permit', permit) };
    }
    if (fundingMode === FundingMode.Allowance) {
      await chain.send(payer.wallet, token, encodeTokenApprove(tree.escrow, value));
    }
    return { auth, permit: '0x' };
  }

  private async permitNonce(owner: string): Promise<bigint> {
    const { chain, usdc: token } = this.tree.deployment;
    const call = { to: token, data: encodePermitNonceCall(owner) };
    const result: unknown = await chain.provider.send('eth_call', [call, 'latest']);
    return BigInt(String(result));
  }

  private async offer(
    worker: Participant,
    agent: AgentEntity,
    {
      price,
      floor = price / 2n,
      workSeconds,
      maxRevisions = DEFAULT_REVISIONS,
      validUntil,
      parent,
      hirerFunded,
    }: OfferTerms,
  ) {
    const { tree } = this;
    const parentNodePath = parent?.terms.nodeId ?? 0n;
    const nodePath = await this.services.transactions.run((manager) =>
      this.services.tasks.nextNodePath(manager, tree.task.id, parentNodePath),
    );
    const action = await tree.open(worker, 'SubmitQuote', nodeNonce(nodePath, 0), validUntil);
    const offer = {
      taskId: tree.task.id,
      agentId: agent.id,
      nodePath,
      parentNodePath,
      price,
      floor,
      workSeconds,
      maxRevisions,
      validUntil: new Date(validUntil * 1000),
      termsHash: tree.task.termsHash,
      hirerFunded: parent === undefined || hirerFunded === true,
      actionId: action.id,
      requestDigest: action.requestDigest,
      nonce: action.fields.nonce,
    };
    return { offer, fields: action.fields };
  }
}
