import { createHash } from 'node:crypto';
import {
  type ActionAuth,
  type ActionFields,
  decodeNodeResult,
  encodeAbandonNode,
  encodeAgreeSplit,
  encodeClaimNonDelivery,
  encodeCreateTask,
  encodeCreateTree,
  encodeDeliver,
  encodeDisputeNode,
  encodeFinalize,
  encodeInvalidateNonces,
  encodeNodeCall,
  encodeRejectTask,
  encodeResolveTask,
  encodeRuleDispute,
  encodeWithdrawEarnings,
  encodeWithdrawRefund,
  type EscrowMessages,
  type EscrowPrimaryType,
  senderAuth,
  type StoredNode,
  treeIdOf,
} from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import type { TaskEntity } from '../../../modules/tasks/task/task.entity.js';
import type { LocalChain, Mined } from '../../local-chain/local-chain.js';
import { type ActionSigner, signedAuth } from './action-signer.js';
import type { Participant } from './participant.js';

/** What every tree of a market shares. */
export interface TreeDeployment {
  chain: LocalChain;
  signer: ActionSigner;
  usdc: string;
  factory: string;
}

type Own<P extends EscrowPrimaryType> = Omit<EscrowMessages[P], keyof ActionFields>;

/** SHA-256 of a text, as artifacts, reasons and evidence are named on chain. */
export function hashOf(text: string): Hex {
  return `0x${createHash('sha256').update(text, 'utf8').digest('hex')}`;
}

/**
 * One task's tree, acted on by the wallets of its participants. Every method is one transaction on chain: signed by the
 * participant's wallet and relayed, or, in a `direct` tree, sent by the wallet itself.
 */
export class TaskTree {
  constructor(
    readonly deployment: TreeDeployment,
    readonly task: TaskEntity,
    readonly buyer: Participant,
    readonly direct = false,
  ) {}

  get escrow(): string {
    return this.task.escrowAddress;
  }

  /** Deploys the tree's escrow and records the terms in it: the task is open. */
  async publish(): Promise<Mined> {
    const { termsHash, budget, arbiterWallet, id } = this.task;
    const buyer = this.buyer.wallet.address;
    const message = { buyer, arbiter: arbiterWallet, token: this.deployment.usdc, budget, termsHash };
    // Needs a signature even in a `direct` tree, because the factory is the sender inside the deployment.
    const auth = await this.signed(this.buyer, 'CreateTask', message);
    const call = encodeCreateTask({ budget, termsHash }, auth);
    const data = encodeCreateTree({ buyer, arbiter: arbiterWallet, treeId: treeIdOf(id) }, [call]);
    return this.deployment.chain.send(this.deployment.chain.relayer, this.deployment.factory, data);
  }

  async deliver(number: number, worker: Participant, artifact: string): Promise<Mined> {
    const artifactHash = hashOf(artifact);
    return this.act(worker, 'Deliver', { nodeId: number, artifactHash }, (auth) =>
      encodeDeliver(number, artifactHash, auth),
    );
  }

  /** The hirer accepts the newest delivery. */
  async accept(number: number, hirer: Participant): Promise<Mined> {
    const { amount, worker, artifactHash } = await this.stored(number);
    const message = { nodeId: number, worker, token: this.deployment.usdc, amount, artifactHash };
    return this.act(hirer, 'ResolveTask', message, (auth) => encodeResolveTask(number, artifactHash, auth));
  }

  async reject(number: number, hirer: Participant, reason: string): Promise<Mined> {
    const { artifactHash } = await this.stored(number);
    const message = { nodeId: number, artifactHash, reasonHash: hashOf(reason) };
    return this.act(hirer, 'RejectTask', message, (auth) =>
      encodeRejectTask(number, artifactHash, message.reasonHash, auth),
    );
  }

  async dispute(number: number, worker: Participant, evidence: string): Promise<Mined> {
    const evidenceHash = hashOf(evidence);
    return this.act(worker, 'DisputeNode', { nodeId: number, evidenceHash }, (auth) =>
      encodeDisputeNode(number, evidenceHash, auth),
    );
  }

  /** @param workerShare base units. */
  async rule(number: number, arbiter: Participant, workerShare: bigint, ruling: string): Promise<Mined> {
    const message = { nodeId: number, token: this.deployment.usdc, workerShare, rulingHash: hashOf(ruling) };
    return this.act(arbiter, 'RuleDispute', message, (auth) =>
      encodeRuleDispute(number, workerShare, message.rulingHash, auth),
    );
  }

  /** Both sides sign the same split. @param workerShare base units. */
  async agree(number: number, hirer: Participant, worker: Participant, workerShare: bigint): Promise<Mined> {
    const { amount } = await this.stored(number);
    const message = { nodeId: number, token: this.deployment.usdc, amount, workerShare };
    const [hirerAuth, workerAuth] = [
      await this.signed(hirer, 'AgreeSplit', message),
      await this.signed(worker, 'AgreeSplit', message),
    ];
    return this.relay(encodeAgreeSplit(number, workerShare, hirerAuth, workerAuth));
  }

  async abandon(number: number, worker: Participant): Promise<Mined> {
    const { amount } = await this.stored(number);
    const message = { nodeId: number, token: this.deployment.usdc, amount };
    return this.act(worker, 'AbandonNode', message, (auth) => encodeAbandonNode(number, auth));
  }

  async claimNonDelivery(number: number, account: Participant): Promise<Mined> {
    const { amount } = await this.stored(number);
    const message = { nodeId: number, token: this.deployment.usdc, amount };
    return this.act(account, 'ClaimNonDelivery', message, (auth) =>
      encodeClaimNonDelivery(number, account.wallet.address, auth),
    );
  }

  /** Finalizes a node whose deadline has passed. Anyone may send this. */
  finalize(number: number): Promise<Mined> {
    return this.relay(encodeFinalize(number));
  }

  /** @param amount base units. */
  async withdrawEarnings(number: number, worker: Participant, amount: bigint): Promise<Mined> {
    const recipient = worker.wallet.address;
    const message = { nodeId: number, recipient, token: this.deployment.usdc, amount };
    return this.act(worker, 'WithdrawEarnings', message, (auth) =>
      encodeWithdrawEarnings(number, recipient, amount, auth),
    );
  }

  /** @param amount base units. */
  async withdrawRefund(hirer: Participant, amount: bigint): Promise<Mined> {
    const account = hirer.wallet.address;
    const message = { account, recipient: account, token: this.deployment.usdc, amount };
    return this.act(hirer, 'WithdrawRefund', message, (auth) => encodeWithdrawRefund(account, account, amount, auth));
  }

  /** The wallet cancels one of its nonces, which invalidates every signature that uses it. */
  cancelNonce(signer: Participant, nonce: bigint): Promise<Mined> {
    const data = encodeInvalidateNonces(nonce >> 8n, 1n << (nonce & 255n));
    return this.deployment.chain.send(signer.wallet, this.escrow, data);
  }

  /** The node as the contract holds it now. */
  async stored(number: number): Promise<StoredNode> {
    const call = { to: this.escrow, data: encodeNodeCall(number) };
    const result: unknown = await this.deployment.chain.provider.send('eth_call', [call, 'latest']);
    if (typeof result !== 'string' || !isHex(result)) throw new TypeError('The escrow gave no node');
    const node = decodeNodeResult(result);
    if (!node) throw new Error(`There is no node ${number} in ${this.escrow}`);
    return node;
  }

  /** Signs one action of this tree's escrow. */
  async signed<P extends EscrowPrimaryType>(who: Participant, type: P, own: Own<P>): Promise<ActionAuth> {
    const { fields } = await this.open(who, type);
    return signedAuth(fields, this.deployment.signer.sign(who.wallet, this.escrow, type, merge(own, fields)));
  }

  open(who: Participant, type: EscrowPrimaryType, validUntil?: number): ReturnType<ActionSigner['open']> {
    return this.deployment.signer.open(
      this.escrow,
      who.wallet,
      { local_market: type, task_id: this.task.id },
      validUntil,
    );
  }

  /** Sends a call that contains every needed signature. */
  relay(data: Hex): Promise<Mined> {
    return this.deployment.chain.send(this.deployment.chain.relayer, this.escrow, data);
  }

  private async act<P extends EscrowPrimaryType>(
    who: Participant,
    type: P,
    own: Own<P>,
    encode: (auth: ActionAuth) => Hex,
  ): Promise<Mined> {
    if (!this.direct) return this.relay(encode(await this.signed(who, type, own)));
    const { fields } = await this.open(who, type);
    return this.deployment.chain.send(who.wallet, this.escrow, encode(senderAuth(fields)));
  }
}

/** A whole message: an action's own members, then the four that end every action. */
export function merge<P extends EscrowPrimaryType>(own: Own<P>, fields: ActionFields): EscrowMessages[P] {
  const message: Own<P> & ActionFields = { ...own, ...fields };
  // TypeScript does not see that leaving members out and adding them again gives the whole.
  return message as EscrowMessages[P];
}
