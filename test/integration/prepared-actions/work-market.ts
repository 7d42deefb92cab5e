import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Contract, ZeroAddress } from 'ethers';
import {
  actionIdHash,
  type ActionFields,
  encodeCreateTree,
  encodeFundTask,
  encodeSubcontract,
  escrowTypedData,
  FundingMode,
  localUsdcAbi,
  nodeNonce,
  type NodeTerms,
  predictEscrowAddress,
  senderAuth,
  treeIdOf,
} from '../../../libs/contracts/src/index.js';
import {
  bytesToHex,
  childPath,
  EMPTY_REQUEST_DIGEST,
  FIRST_WITHDRAWAL_NONCE,
  type Hex,
  newId,
  nodeIdOf,
  parentPath,
  sha256,
} from '../../../libs/kernel/src/index.js';
import { Custody } from '../../../src/modules/artifacts/custody/custody.service.js';
import { ReceivedArtifact } from '../../../src/modules/artifacts/custody/received-artifact.js';
import { ActionHistory } from '../../../src/modules/prepared-actions/lifecycle/action-history.js';
import { isPreparableKind, KindRegistry } from '../../../src/modules/prepared-actions/registry/kind-registry.js';
import type { PreparedActionDto } from '../../../src/modules/prepared-actions/dto/prepared-action.dto.js';
import { PreparedActionEntity } from '../../../src/modules/prepared-actions/action/prepared-action.entity.js';
import { ObjectStore } from '../../../src/platform/storage/object-store.js';
import { ChainClient } from '../../../src/platform/chain/chain-client.js';
import { Environment } from '../../../src/platform/config/environment.js';
import { ActionFixture, type Trader } from '../../support/action-fixture.js';
import { ANVIL_CHAIN_ID } from '../../support/spec-chain.js';
import { signTypedData } from '../../support/escrow-fixture.js';

const TERMS_HASH: Hex = `0x${'cd'.repeat(32)}`;
const DAY = 86_400;
let nextAction = 10_000n;

/** An account with an agent that has the account's wallet. */
export interface WorkParty extends Trader {
  agentId: string;
}

/** A task whose root node, path 1, is funded on the chain and in the index. */
export interface WorkTree {
  taskId: string;
  escrow: Hex;
  arbiter: Hex;
  buyer: WorkParty;
  worker: WorkParty;
  root: string;
}

/** A chain with its index, and the parts of the service by which work is delivered, reviewed, contested and claimed. */
export class WorkMarket extends ActionFixture {
  private readonly folder = this.get(Environment).artifactDir;

  static begin(): Promise<WorkMarket> {
    return WorkMarket.start({ artifactDir: mkdtempSync(join(tmpdir(), 'tasktree-work-')) });
  }

  override async stop(): Promise<void> {
    await super.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get<T>(type: abstract new (...args: any[]) => T): T {
    return this.app.get(type);
  }

  /** Moves both clocks, so that the chain's next block has the service's time. */
  async travel(seconds: number): Promise<void> {
    this.app.clock.aheadMs += seconds * 1000;
    await this.chain.anvil.rpc('evm_increaseTime', `0x${seconds.toString(16)}`);
    await this.chain.anvil.mine();
    await this.index();
  }

  async nowSeconds(): Promise<number> {
    const block = await this.chain.anvil.rpc<{ timestamp: string }>('eth_getBlockByNumber', 'latest', false);
    return Number(block.timestamp);
  }

  override async person(name: string): Promise<WorkParty> {
    return this.withAgent(await super.person(name));
  }

  override async contractPerson(name: string): Promise<WorkParty> {
    return this.withAgent(await super.contractPerson(name));
  }

  async tree(own: Partial<Pick<WorkTree, 'buyer' | 'worker'>> & { arbiter?: Hex } = {}): Promise<WorkTree> {
    const buyer = own.buyer ?? (await this.person('buyer'));
    const worker = own.worker ?? (await this.person('worker'));
    const arbiter = own.arbiter ?? ZeroAddress;
    const taskId = newId('task', Date.now());
    const parts = { buyer: buyer.address, arbiter, treeId: treeIdOf(taskId) };
    const { factory, implementation } = this.chain;
    const escrow = predictEscrowAddress({ factory, implementation, ...parts });
    const parties = { buyerWallet: buyer.address, arbiterWallet: arbiter, escrowAddress: escrow };
    await this.rows.task(buyer.accountId, { id: taskId, tier: 'private_curated', ...parties });
    await this.chain.send(factory, encodeCreateTree(parts));
    const tree = { taskId, escrow, arbiter: arbiter as Hex, buyer, worker, root: nodeIdOf(taskId, 1n) };
    await this.hireRoot(tree, 1);
    await this.index();
    return tree;
  }

  /**
   * Hires a root node of the tree's worker for 100 USDC, to be delivered within 10 days, with an accept window of 3
   * days. Its floor is 50 USDC.
   */
  async hireRoot(tree: WorkTree, index: number, amount = 100_000_000n): Promise<void> {
    const { escrow, buyer, worker } = tree;
    const terms = this.terms({ nodeId: childPath(0n, index), worker: worker.address, amount });
    const quote = await this.quote(tree, terms, worker, buyer);
    await this.chain.callUsdc('mint', [buyer.address, amount]);
    await this.send(buyer, this.chain.usdc, usdc.encodeFunctionData('approve', [escrow, amount]));
    const auth = senderAuth(fields(nodeNonce(terms.nodeId, 0)));
    await this.send(buyer, escrow, encodeFundTask(terms, { mode: FundingMode.Allowance }, auth, quote));
  }

  /** Hires a child of the tree's root, paid from the root's money. @returns the child's id. */
  async hireBelow(tree: WorkTree, index: number, worker: WorkParty, amount = 30_000_000n): Promise<string> {
    const terms = this.terms({ nodeId: childPath(1n, index), worker: worker.address, amount });
    const quote = await this.quote(tree, terms, worker, tree.worker);
    const auth = senderAuth(fields(nodeNonce(terms.nodeId, 0)));
    const data = encodeSubcontract(terms, { mode: FundingMode.ParentNode }, auth, quote);
    await this.send(tree.worker, tree.escrow, data);
    await this.index();
    return nodeIdOf(tree.taskId, terms.nodeId);
  }

  /** Puts an artifact into the party's custody without HTTP. */
  async artifact({ accountId }: WorkParty, text: string): Promise<{ artifactHash: Hex; custodyReceipt: string }> {
    const bytes = Buffer.from(text);
    const artifactHash = bytesToHex(sha256(bytes));
    const staged = await this.get(ObjectStore).stage(artifactHash.slice(2), Readable.from([bytes]));
    const received = new ReceivedArtifact(staged, artifactHash, bytes.length, 'text/plain');
    const { receipt } = await this.get(Custody).take(accountId, received);
    return { artifactHash, custodyReceipt: receipt };
  }

  /** Sends a signed action to the chain as anyone can, rebuilt from what the service has stored. */
  async relay(actionId: string, signature: Hex): Promise<void> {
    const action = await this.dataSource.manager.findOneByOrFail(PreparedActionEntity, { id: actionId });
    if (!isPreparableKind(action.kind)) throw new TypeError('It is of no known kind');
    const call = await this.get(KindRegistry).implementationOf(action.kind).signedCall(action, signature);
    await this.chain.send(call!.to, call!.data);
    await this.index();
  }

  override async sendDirect(action: PreparedActionDto): Promise<Hex> {
    const hash = await super.sendDirect(action);
    await this.index();
    return hash;
  }

  async statusOf({ action_id: id }: PreparedActionDto): Promise<string> {
    const action = await this.dataSource.manager.findOneByOrFail(PreparedActionEntity, { id });
    return (await this.get(ActionHistory).statusOf(action)).status;
  }

  /** Sends from the party's wallet, whatever it is. Rejects when it reverts. */
  async send({ address }: Pick<Trader, 'address'>, to: string, data: string): Promise<void> {
    await this.chain.sendAs(address, { to, data });
  }

  /** Authorisation for a call about a node that the party sends itself, without the service, as the node is now. */
  async ownAuth({ escrow }: WorkTree, path: bigint): Promise<ReturnType<typeof senderAuth>> {
    const node = await this.get(ChainClient).nodeAt(escrow, path);
    return senderAuth(fields(nodeNonce(path, node?.version ?? 0)));
  }

  /** As `ownAuth`, for a withdrawal. */
  ownWithdrawalAuth(): ReturnType<typeof senderAuth> {
    return senderAuth(fields(FIRST_WITHDRAWAL_NONCE + nextAction));
  }

  private async withAgent(owner: Trader): Promise<WorkParty> {
    return { ...owner, agentId: await this.rows.agent(owner.accountId, owner.address) };
  }

  private terms(own: Pick<NodeTerms, 'nodeId' | 'worker' | 'amount'>): NodeTerms {
    const isRoot = parentPath(own.nodeId) === 0n;
    const times = { workSeconds: DAY * (isRoot ? 10 : 5), acceptWindow: 3 * DAY, maxRevisions: 3 };
    return { ...own, floor: own.amount / 2n, ...times, hirerFunded: isRoot, termsHash: TERMS_HASH };
  }

  private async quote({ escrow, arbiter }: WorkTree, terms: NodeTerms, worker: WorkParty, hirer: WorkParty) {
    const own = fields(nodeNonce(terms.nodeId, 0));
    const offer = { terms, hirer: hirer.address, arbiter, token: this.chain.usdc, ...own };
    const data = escrowTypedData('SubmitQuote', { chainId: ANVIL_CHAIN_ID, escrowAddress: escrow }, offer);
    return { ...own, signature: await signTypedData(worker.key, data) };
  }
}

const { interface: usdc } = new Contract(ZeroAddress, localUsdcAbi);

/** Fields of an action with a name that no other has. */
function fields(nonce: bigint): ActionFields {
  nextAction += 1n;
  const actionId = actionIdHash(`act_${nextAction}`);
  return { actionId, requestDigest: EMPTY_REQUEST_DIGEST, nonce, validUntil: 40_000_000_000n };
}
