import { createHash } from 'node:crypto';
import {
  type ActionAuth,
  type ActionFields,
  decodeNodeResult,
  encodeAbandonNode,
  encodeAgreeSplit,
  encodeClaimNonDelivery,
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
  nodeNonce,
  NodeState,
  senderAuth,
  type StoredNode,
  treeIdOf,
} from '#libs/contracts';
import { type Hex, isHex, pathText } from '#libs/kernel';
import type { TaskEntity } from '../../../modules/tasks/task/task.entity.js';
import type { LocalChain, Mined } from '../../local-chain/local-chain.js';
import { type ActionSigner, type OpenAction, signedAuth } from './action-signer.js';
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

  /** Deploys the tree's escrow if nobody has done so, and makes this call on it. Anyone may send this. */
  create(then?: Hex): Promise<Mined> {
    const { arbiterWallet: arbiter, id } = this.task;
    const { chain, factory } = this.deployment;
    const tree = { buyer: this.buyer.wallet.address, arbiter, treeId: treeIdOf(id) };
    return chain.send(chain.relayer, factory, encodeCreateTree(tree, then));
  }

  /** @param payOut whether the worker wants to be paid to its own wallet as soon as the node settles. */
  async deliver(path: bigint, worker: Participant, artifact: string, { payOut = true } = {}): Promise<Mined> {
    const message = { nodeId: path, artifactHash: hashOf(artifact), payOut };
    return this.act(worker, 'Deliver', message, (auth) => encodeDeliver(path, message.artifactHash, payOut, auth));
  }

  /** The hirer accepts the newest delivery. */
  async accept(path: bigint, hirer: Participant): Promise<Mined> {
    const { amount, worker, artifactHash } = await this.stored(path);
    const message = { nodeId: path, worker, token: this.deployment.usdc, amount, artifactHash };
    return this.act(hirer, 'ResolveTask', message, (auth) => encodeResolveTask(path, artifactHash, auth));
  }

  async reject(path: bigint, hirer: Participant, reason: string): Promise<Mined> {
    const { artifactHash } = await this.stored(path);
    const message = { nodeId: path, artifactHash, reasonHash: hashOf(reason) };
    return this.act(hirer, 'RejectTask', message, (auth) =>
      encodeRejectTask(path, artifactHash, message.reasonHash, auth),
    );
  }

  async dispute(path: bigint, worker: Participant, evidence: string): Promise<Mined> {
    const evidenceHash = hashOf(evidence);
    return this.act(worker, 'DisputeNode', { nodeId: path, evidenceHash }, (auth) =>
      encodeDisputeNode(path, evidenceHash, auth),
    );
  }

  /** @param workerShare base units. */
  async rule(path: bigint, arbiter: Participant, workerShare: bigint, ruling: string): Promise<Mined> {
    const message = { nodeId: path, token: this.deployment.usdc, workerShare, rulingHash: hashOf(ruling) };
    return this.act(arbiter, 'RuleDispute', message, (auth) =>
      encodeRuleDispute(path, workerShare, message.rulingHash, auth),
    );
  }

  /** Both sides sign the same split. @param workerShare base units. */
  async agree(path: bigint, hirer: Participant, worker: Participant, workerShare: bigint): Promise<Mined> {
    const { amount } = await this.stored(path);
    const parties = { hirer: hirer.wallet.address, worker: worker.wallet.address };
    const message = { nodeId: path, ...parties, token: this.deployment.usdc, amount, workerShare };
    const [hirerAuth, workerAuth] = [
      await this.signed(hirer, 'AgreeSplit', message),
      await this.signed(worker, 'AgreeSplit', message),
    ];
    return this.relay(encodeAgreeSplit(path, workerShare, hirerAuth, workerAuth));
  }

  async abandon(path: bigint, worker: Participant): Promise<Mined> {
    const { amount } = await this.stored(path);
    const message = { nodeId: path, token: this.deployment.usdc, amount };
    return this.act(worker, 'AbandonNode', message, (auth) => encodeAbandonNode(path, auth));
  }

  async claimNonDelivery(path: bigint, account: Participant): Promise<Mined> {
    const { amount } = await this.stored(path);
    const message = { nodeId: path, token: this.deployment.usdc, amount };
    return this.act(account, 'ClaimNonDelivery', message, (auth) =>
      encodeClaimNonDelivery(path, account.wallet.address, auth),
    );
  }

  /** Finalizes a node whose deadline has passed. Anyone may send this. */
  finalize(path: bigint): Promise<Mined> {
    return this.relay(encodeFinalize(path));
  }

  /** @param amount base units. */
  async withdrawEarnings(path: bigint, worker: Participant, amount: bigint): Promise<Mined> {
    const recipient = worker.wallet.address;
    const message = { nodeId: path, recipient, token: this.deployment.usdc, amount };
    return this.act(worker, 'WithdrawEarnings', message, (auth) =>
      encodeWithdrawEarnings(path, recipient, amount, auth),
    );
  }

  /** @param amount base units. */
  async withdrawRefund(hirer: Participant, amount: bigint): Promise<Mined> {
    const account = hirer.wallet.address;
    const message = { account, recipient: account, token: this.deployment.usdc, amount };
    return this.act(hirer, 'WithdrawRefund', message, (auth) => encodeWithdrawRefund(account, account, amount, auth));
  }

  /**
   * The wallet cancels one of its nonces, which invalidates every signature that uses it. Deploys the escrow for this,
   * because there is none before the first payment.
   */
  async cancelNonce(signer: Participant, nonce: bigint): Promise<Mined> {
    await this.create();
    const data = encodeInvalidateNonces(nonce >> 8n, 1n << (nonce & 255n));
    return this.deployment.chain.send(signer.wallet, this.escrow, data);
  }

  /** The node as the contract holds it now. */
  async stored(path: bigint): Promise<StoredNode> {
    const call = { to: this.escrow, data: encodeNodeCall(path) };
    const result: unknown = await this.deployment.chain.provider.send('eth_call', [call, 'latest']);
    if (typeof result !== 'string' || !isHex(result)) throw new TypeError('The escrow gave no node');
    const node = decodeNodeResult(result);
    if (node.state === NodeState.None) throw new Error(`There is no node ${pathText(path)} in ${this.escrow}`);
    return node;
  }

  /** Sends a call that contains every needed signature. */
  relay(data: Hex): Promise<Mined> {
    return this.deployment.chain.send(this.deployment.chain.relayer, this.escrow, data);
  }

  /** Makes a new action of the wallet in this tree's escrow. @param nonce absent: one of a withdrawal. */
  open(who: Participant, type: EscrowPrimaryType, nonce?: bigint, validUntil?: number): Promise<OpenAction> {
    const about = { local_market: type, task_id: this.task.id };
    return this.deployment.signer.open(this.escrow, who.wallet, about, nonce, validUntil);
  }

  /** Signs one action of this tree's escrow. */
  private async signed<P extends EscrowPrimaryType>(who: Participant, type: P, own: Own<P>): Promise<ActionAuth> {
    const fields = await this.fields(who, type, own);
    return signedAuth(fields, this.deployment.signer.sign(who.wallet, this.escrow, type, merge(own, fields)));
  }

  private async act<P extends EscrowPrimaryType>(
    who: Participant,
    type: P,
    own: Own<P>,
    encode: (auth: ActionAuth) => Hex,
  ): Promise<Mined> {
    if (!this.direct) return this.relay(encode(await this.signed(who, type, own)));
    return this.deployment.chain.send(who.wallet, this.escrow, encode(senderAuth(await this.fields(who, type, own))));
  }

  /** An action about a node is for the node as it stands now, but for a withdrawal, which leaves the node as it is. */
  private async fields(who: Participant, type: EscrowPrimaryType, own: object): Promise<ActionFields> {
    const path = 'nodeId' in own && typeof own.nodeId === 'bigint' ? own.nodeId : null;
    const isAboutState = path !== null && type !== 'WithdrawEarnings';
    const nonce = isAboutState ? nodeNonce(path, (await this.stored(path)).version) : undefined;
    return (await this.open(who, type, nonce)).fields;
  }
}

/** A whole message: an action's own members, then the four that end every action. */
export function merge<P extends EscrowPrimaryType>(own: Own<P>, fields: ActionFields): EscrowMessages[P] {
  const message: Own<P> & ActionFields = { ...own, ...fields };
  // TypeScript does not see that leaving members out and adding them again gives the whole.
  return message as EscrowMessages[P];
}
