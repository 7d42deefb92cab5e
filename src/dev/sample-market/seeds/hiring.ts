import { Interface } from 'ethers';
import {
  type ActionAuth,
  type ActionFields,
  encodeFundTask,
  encodeSelectAgent,
  encodeSubcontract,
  FundingMode,
  localUsdcAbi,
  type NodeTerms,
} from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { AgentEntity } from '../../../modules/agents/agent/agent.entity.js';
import type { QuoteEntity } from '../../../modules/quotes/quote/quote.entity.js';
import type { QuoteOffer } from '../../../modules/quotes/quote/quote-offer.js';
import { nodeTerms, quoteTypedData } from '../../../modules/quotes/quote/quote-typed-data.js';
import type { Mined } from '../../local-chain/local-chain.js';
import { type OpenAction, signedAuth, signTypedData } from './action-signer.js';
import type { SeedServices } from './seed-services.js';
import type { Participant } from './participant.js';
import type { TaskTree } from './task-tree.js';

const usdc = new Interface(localUsdcAbi);

/** Terms of a worker's offer. */
export interface OfferTerms {
  /** Base units. */
  price: bigint;
  /** Unix seconds. */
  deadline: number;
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

/** Hires agents in one task's tree: quotes through the service's code, selection and funding on the chain. */
export class Hiring {
  constructor(
    readonly tree: TaskTree,
    private readonly services: SeedServices,
    private readonly chainId: number,
  ) {}

  /** Makes an offer that its worker has not signed. */
  async draft(worker: Participant, agent: AgentEntity, offer: OfferTerms): Promise<QuoteEntity> {
    return this.services.quotes.draft(worker.account, (await this.offer(worker, agent, offer)).offer);
  }

  /** Makes an offer that its worker has signed; the payer sees it. */
  async quote(worker: Participant, agent: AgentEntity, terms: OfferTerms): Promise<Offer> {
    const { task, escrow } = this.tree;
    const { offer, fields } = await this.offer(worker, agent, terms);
    const hirer = terms.parent?.worker ?? this.tree.buyer;
    const nodeNumber = await this.services.transactions.run((manager) =>
      this.services.tasks.nextNodeNumber(manager, task.id),
    );
    const signedTerms = {
      ...offer,
      nodeNumber,
      parentNodeNumber: offer.parentNodeNumber,
      workerWallet: worker.wallet.address,
      acceptWindowSeconds: task.acceptWindowSeconds,
    };
    const target = {
      chainId: this.chainId,
      escrowAddress: escrow,
      token: this.tree.deployment.usdc,
      hirerWallet: hirer.wallet.address,
    };
    const data = quoteTypedData(signedTerms, { ...target, arbiterWallet: task.arbiterWallet });
    const signature = signTypedData(worker.wallet, data);
    const quote = await this.services.quotes.submitSigned(worker.account, { ...offer, nodeNumber, signature });
    return { quote, terms: nodeTerms(signedTerms), workerAuth: signedAuth(fields, signature), worker, hirer };
  }

  /**
   * The buyer selects a root node's offer.
   * @param signed called with the action after the buyer has signed it, before it is sent to the chain.
   */
  async select(
    { terms, workerAuth }: Offer,
    signed: (action: OpenAction) => Promise<void> = () => Promise.resolve(),
  ): Promise<Mined> {
    const { tree } = this;
    const action = await tree.open(tree.buyer, 'SelectAgent');
    const { fields } = action;
    const message = { terms, token: tree.deployment.usdc, ...fields };
    const signature = tree.deployment.signer.sign(tree.buyer.wallet, tree.escrow, 'SelectAgent', message);
    await signed(action);
    return tree.relay(encodeSelectAgent(terms, signedAuth(fields, signature), workerAuth));
  }

  /** The buyer funds the selected node. */
  async fund({ terms }: Offer, mode: FundingMode = FundingMode.Authorization3009): Promise<Mined> {
    const { tree } = this;
    const { fields } = await tree.open(tree.buyer, 'FundTask');
    const { nodeId, worker, amount } = terms;
    const message = { nodeId, worker, token: tree.deployment.usdc, amount, ...fields };
    const digest = tree.deployment.signer.digest(tree.escrow, 'FundTask', message);
    const sign = (): Hex => tree.deployment.signer.sign(tree.buyer.wallet, tree.escrow, 'FundTask', message);
    const paid = await this.pay(tree.buyer, amount, mode, { fields, digest, sign });
    return tree.relay(encodeFundTask(nodeId, { mode, permit: paid.permit }, paid.auth));
  }

  /** The parent's worker selects and funds a child's offer. `another` replaces the default funding mode. */
  async subcontract({ terms, workerAuth, hirer }: Offer, another?: FundingMode): Promise<Mined> {
    const { tree } = this;
    const mode = another ?? (terms.hirerFunded ? FundingMode.Authorization3009 : FundingMode.ParentNode);
    const { fields } = await tree.open(hirer, 'Subcontract');
    const message = { terms, token: tree.deployment.usdc, ...fields };
    const digest = tree.deployment.signer.digest(tree.escrow, 'Subcontract', message);
    const sign = (): Hex => tree.deployment.signer.sign(hirer.wallet, tree.escrow, 'Subcontract', message);
    const paid = await this.pay(hirer, terms.amount, mode, { fields, digest, sign });
    return tree.relay(encodeSubcontract(terms, { mode, permit: paid.permit }, paid.auth, workerAuth));
  }

  /** Signs what the funding mode needs, and sends the approval for `Allowance`. */
  private async pay(
    payer: Participant,
    amount: bigint,
    mode: FundingMode,
    action: { fields: ActionFields; digest: Hex; sign: () => Hex },
  ): Promise<{ auth: ActionAuth; permit: Hex }> {
    const { signer, chain, usdc: token } = this.tree.deployment;
    const { fields } = action;
    const owner = payer.wallet.address;
    if (mode === FundingMode.Authorization3009) {
      const times = { validAfter: 0n, validBefore: fields.validUntil, nonce: action.digest };
      const message = { from: owner, to: this.tree.escrow, value: amount, ...times };
      return {
        auth: signedAuth(fields, signer.signToken(payer.wallet, 'ReceiveWithAuthorization', message)),
        permit: '0x',
      };
    }
    const auth = signedAuth(fields, action.sign());
    if (mode === FundingMode.Permit) {
      const result: unknown = await chain.provider.send('eth_call', [
        { to: token, data: usdc.encodeFunctionData('nonces', [owner]) },
        'latest',
      ]);
      const message = {
        owner,
        spender: this.tree.escrow,
        value: amount,
        nonce: BigInt(String(result)),
        deadline: fields.validUntil,
      };
      return { auth, permit: signer.signToken(payer.wallet, 'Permit', message) };
    }
    if (mode === FundingMode.Allowance) {
      await chain.send(payer.wallet, token, usdc.encodeFunctionData('approve', [this.tree.escrow, amount]));
    }
    return { auth, permit: '0x' };
  }

  private async offer(
    worker: Participant,
    agent: AgentEntity,
    terms: OfferTerms,
  ): Promise<{ offer: Required<Omit<QuoteOffer, 'acceptWindowSeconds' | 'signUntil'>>; fields: ActionFields }> {
    const { tree } = this;
    const { id, requestDigest, fields } = await tree.open(worker, 'SubmitQuote', terms.validUntil);
    const offer = {
      taskId: tree.task.id,
      agentId: agent.id,
      parentNodeNumber: terms.parent?.terms.nodeId ?? 0,
      price: terms.price,
      deadline: new Date(terms.deadline * 1000),
      validUntil: new Date(terms.validUntil * 1000),
      termsHash: tree.task.termsHash,
      hirerFunded: terms.parent === undefined || terms.hirerFunded === true,
      actionId: id,
      requestDigest,
      nonce: fields.nonce,
    };
    return { offer, fields };
  }
}
