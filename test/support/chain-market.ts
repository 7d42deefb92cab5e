import { ContractFactory, Interface, type Wallet, toQuantity, ZeroAddress } from 'ethers';
import {
  actionIdHash,
  type ActionAuth,
  type ActionFields,
  decodeNodeResult,
  type DeploymentPlan,
  deploymentPlan,
  encodeAbandonNode,
  encodeAgreeSplit,
  encodeCreateTree,
  encodeDeliver,
  encodeFundTask,
  encodeInvalidateNonces,
  encodeMulticall,
  encodeNodeCall,
  encodeRejectTask,
  encodeResolveTask,
  encodeSubcontract,
  encodeWithdrawEarnings,
  encodeWithdrawRefund,
  type EscrowMessages,
  type EscrowPrimaryType,
  escrowTypedData,
  FundingMode,
  localUsdcAbi,
  localUsdcBytecode,
  nodeNonce,
  type NodeTerms,
  predictEscrowAddress,
  treeIdOf,
} from '../../libs/contracts/src/index.js';
import { EMPTY_REQUEST_DIGEST, FIRST_WITHDRAWAL_NONCE, type Hex, parentPath } from '../../libs/kernel/src/index.js';
import { randomWallet } from './random-wallet.js';
import { Anvil, ANVIL_CHAIN_ID } from './spec-chain.js';
import { agreeableWalletCode, contractWalletCode } from './contract-wallet.js';

const FAR = 40_000_000_000n;
const HASH = `0x${'ab'.repeat(32)}` as const;
const TERMS_HASH = `0x${'cd'.repeat(32)}` as const;
/** Never reset, so that rewinding a chain cannot reuse the name or the withdrawal's nonce of an earlier action. */
let nextAction = 0;

/** A tree that a spec works with. */
export interface TestTree {
  taskId: string;
  buyer: Wallet;
  escrow: Hex;
}

/** Name of an action; by default one that no other action has. */
export interface Signing {
  actionId?: string;
}

/**
 * Anvil with the contracts deployed. It does on chain whatever the parties of trees do, by relaying their signatures.
 */
export class ChainMarket {
  usdc: Hex = '0x';
  implementation: Hex = '0x';
  factory: Hex = '0x';
  private relayer = '';

  private constructor(readonly anvil: Anvil) {}

  static async start(args: readonly string[] = []): Promise<ChainMarket> {
    const market = new ChainMarket(await Anvil.start(args));
    const accounts = await market.anvil.rpc<string[]>('eth_accounts');
    market.relayer = accounts[0]!;
    market.usdc = await market.deployUsdc();
    ({ factory: market.factory, implementation: market.implementation } = await market.deployEscrow(market.usdc));
    return market;
  }

  stop(): Promise<void> {
    return this.anvil.stop();
  }

  wallet(): Wallet {
    return randomWallet();
  }

  /** A tree of this task and buyer, with the address that its escrow will have. */
  tree(taskId: string, buyer: Wallet): TestTree {
    const { factory, implementation } = this;
    const parts = { factory, implementation, buyer: buyer.address, arbiter: ZeroAddress, treeId: treeIdOf(taskId) };
    return { taskId, buyer, escrow: predictEscrowAddress(parts) };
  }

  /** Deploys the tree. The buyer gets 1,000 USDC and allows the escrow to take them. */
  async create({ taskId, buyer, escrow }: TestTree): Promise<void> {
    const parties = { buyer: buyer.address, arbiter: ZeroAddress };
    await this.callUsdc('mint', [buyer.address, 1_000_000_000n]);
    await this.send(this.factory, encodeCreateTree({ ...parties, treeId: treeIdOf(taskId) }));
    await this.giveEther(buyer.address);
    await this.sendFrom(buyer, this.usdc, usdcInterface.encodeFunctionData('approve', [escrow, 1_000_000_000n]));
  }

  /** Terms of a root node for 30 days, or of a child that its parent's money pays for 7. Half the amount is the floor. */
  terms(own: Partial<NodeTerms> & Pick<NodeTerms, 'nodeId' | 'worker' | 'amount'>): NodeTerms {
    const isRoot = parentPath(own.nodeId) === 0n;
    return {
      floor: own.amount / 2n,
      workSeconds: 86_400 * (isRoot ? 30 : 7),
      acceptWindow: 259_200,
      maxRevisions: 3,
      hirerFunded: isRoot,
      termsHash: TERMS_HASH,
      ...own,
    };
  }

  /** Hires a root node and pays for it. */
  async fund(tree: TestTree, terms: NodeTerms, worker: Wallet, quote: Signing = {}): Promise<void> {
    const { buyer, escrow } = tree;
    const mode = FundingMode.Allowance;
    const workerAuth = await this.signQuote(tree, terms, { hirer: buyer, worker }, quote);
    const hirerAuth = await this.sign(buyer, escrow, 'FundTask', { terms, token: this.usdc, fundingMode: mode });
    await this.send(escrow, encodeFundTask(terms, { mode }, hirerAuth, workerAuth));
  }

  /** Hires a child node and pays for it from its parent's money. */
  async subcontract(
    tree: TestTree,
    terms: NodeTerms,
    parties: { hirer: Wallet; worker: Wallet },
    quote: Signing = {},
  ): Promise<void> {
    const { escrow } = tree;
    const mode = FundingMode.ParentNode;
    const workerAuth = await this.signQuote(tree, terms, parties, quote);
    const own = { terms, token: this.usdc, fundingMode: mode };
    const hirerAuth = await this.sign(parties.hirer, escrow, 'Subcontract', own);
    await this.send(escrow, encodeSubcontract(terms, { mode }, hirerAuth, workerAuth));
  }

  /**
   * Hires child nodes, of whom a wallet works that agrees to everything ({@link agreeableWallet}), fifty a transaction and
   * without a signature: for trees whose size is what a spec is about.
   */
  async subcontractMany({ escrow }: TestTree, children: readonly NodeTerms[], hirer: Wallet): Promise<void> {
    await this.giveEther(hirer.address);
    const calls = children.map((terms) => {
      const own = { ...this.nextFields(nodeNonce(terms.nodeId, 0)), signature: '0x' as const };
      return encodeSubcontract(terms, { mode: FundingMode.ParentNode }, own, { ...own, signature: '0x01' });
    });
    for (let from = 0; from < calls.length; from += 50)
      await this.sendFrom(hirer, escrow, encodeMulticall(calls.slice(from, from + 50)), '0x1312d00');
  }

  /** Delivers a node. With `payOut` its worker is paid as soon as it settles. */
  async deliver(
    { escrow }: TestTree,
    nodeId: bigint,
    worker: Wallet,
    { artifactHash = HASH, payOut = false }: { artifactHash?: Hex; payOut?: boolean } = {},
  ): Promise<void> {
    const auth = await this.sign(worker, escrow, 'Deliver', { nodeId, artifactHash, payOut });
    await this.send(escrow, encodeDeliver(nodeId, artifactHash, payOut, auth));
  }

  async reject({ escrow }: TestTree, nodeId: bigint, hirer: Wallet): Promise<void> {
    const message = { nodeId, artifactHash: HASH, reasonHash: HASH };
    const auth = await this.sign(hirer, escrow, 'RejectTask', message);
    await this.send(escrow, encodeRejectTask(nodeId, HASH, HASH, auth));
  }

  async resolve(
    { escrow }: TestTree,
    terms: Pick<NodeTerms, 'nodeId' | 'worker' | 'amount'>,
    hirer: Wallet,
    artifactHash: Hex = HASH,
  ): Promise<void> {
    const { nodeId, worker, amount } = terms;
    const message = { nodeId, worker, amount, token: this.usdc, artifactHash };
    const auth = await this.sign(hirer, escrow, 'ResolveTask', message);
    await this.send(escrow, encodeResolveTask(nodeId, artifactHash, auth));
  }

  async abandon({ escrow }: TestTree, { nodeId, amount }: NodeTerms, worker: Wallet): Promise<string> {
    const auth = await this.sign(worker, escrow, 'AbandonNode', { nodeId, amount, token: this.usdc });
    return this.send(escrow, encodeAbandonNode(nodeId, auth));
  }

  /** The buyer and the worker of a root node end it by an agreed split. */
  async agree(tree: TestTree, { nodeId, amount }: NodeTerms, workerShare: bigint, worker: Wallet): Promise<void> {
    const { escrow, buyer } = tree;
    const parties = { hirer: buyer.address, worker: worker.address };
    const message = { nodeId, ...parties, token: this.usdc, amount, workerShare };
    const hirerAuth = await this.sign(buyer, escrow, 'AgreeSplit', message);
    const workerAuth = await this.sign(worker, escrow, 'AgreeSplit', message);
    await this.send(escrow, encodeAgreeSplit(nodeId, workerShare, hirerAuth, workerAuth));
  }

  async withdrawEarnings({ escrow }: TestTree, nodeId: bigint, amount: bigint, worker: Wallet): Promise<void> {
    const recipient = worker.address;
    const auth = await this.sign(worker, escrow, 'WithdrawEarnings', { nodeId, recipient, amount, token: this.usdc });
    await this.send(escrow, encodeWithdrawEarnings(nodeId, recipient, amount, auth));
  }

  async withdrawRefund({ escrow, buyer }: TestTree, amount: bigint): Promise<void> {
    const account = buyer.address;
    const message = { account, recipient: account, amount, token: this.usdc };
    const auth = await this.sign(buyer, escrow, 'WithdrawRefund', message);
    await this.send(escrow, encodeWithdrawRefund(account, account, amount, auth));
  }

  /** Cancels a nonce of a wallet. The wallet itself must send this. */
  async cancelNonce({ escrow }: TestTree, signer: Wallet, nonce: bigint): Promise<void> {
    await this.giveEther(signer.address);
    await this.sendFrom(signer, escrow, encodeInvalidateNonces(nonce >> 8n, 1n << (nonce & 255n)));
  }

  async balanceOf(address: string): Promise<bigint> {
    const data = usdcInterface.encodeFunctionData('balanceOf', [address]);
    return BigInt(await this.anvil.rpc<string>('eth_call', { to: this.usdc, data }, 'latest'));
  }

  /** Deploys another USDC, which the relayer mints. @returns its address. */
  async deployUsdc(): Promise<Hex> {
    const code = new ContractFactory(localUsdcAbi, localUsdcBytecode);
    const { data } = await code.getDeployTransaction(this.relayer);
    return predictable(await this.deployCode(data));
  }

  /** Sends the transaction that deploys the escrow contracts of this build for a token. @returns what it deployed. */
  async deployEscrow(token: string): Promise<DeploymentPlan> {
    const plan = deploymentPlan(token);
    const { to, data, gasLimit } = plan.transaction;
    await this.transact({ from: this.relayer, to, data, gas: toQuantity(gasLimit) });
    return plan;
  }

  /** Deploys this creation code. @returns the address of the contract. */
  async deployCode(data: string): Promise<Hex> {
    const receipt = await this.transact({ from: this.relayer, data, gas: '0xb71b00' });
    return receipt.contractAddress as Hex;
  }

  /** Deploys a contract wallet that accepts the signatures of its owner's key (ERC-1271), and gives it ether. */
  async contractWallet(owner: Wallet): Promise<Hex> {
    const address = predictable(await this.deployCode(contractWalletCode(owner.address)));
    await this.giveEther(address);
    return address;
  }

  /** Deploys a contract wallet that accepts every signature (ERC-1271). */
  async agreeableWallet(): Promise<Hex> {
    return predictable(await this.deployCode(agreeableWalletCode()));
  }

  async giveEther(address: string): Promise<void> {
    await this.anvil.rpc('anvil_setBalance', address, '0x8ac7230489e80000');
  }

  /**
   * Sends a call from the wallet without its key. Rejects when the call reverts.
   * @returns the hash of the transaction.
   */
  async sendAs(from: string, { to, data }: { to: string; data: string }): Promise<string> {
    await this.anvil.rpc('anvil_impersonateAccount', from);
    return (await this.transact({ from, to, data, gas: '0x2dc6c0' })).transactionHash!;
  }

  /** Sends a call from the relayer. Rejects when the call reverts. @returns the hash of the transaction. */
  async send(to: string, data: string): Promise<string> {
    return (await this.transact({ from: this.relayer, to, data, gas: '0x2dc6c0' })).transactionHash!;
  }

  async sendFrom(wallet: Wallet, to: string, data: string, gas = '0x2dc6c0'): Promise<void> {
    await this.anvil.rpc('anvil_impersonateAccount', wallet.address);
    await this.transact({ from: wallet.address, to, data, gas });
  }

  async callUsdc(name: string, values: unknown[]): Promise<void> {
    await this.send(this.usdc, usdcInterface.encodeFunctionData(name, values));
  }

  private signQuote(
    { escrow }: TestTree,
    terms: NodeTerms,
    { hirer, worker }: { hirer: Wallet; worker: Wallet },
    quote: Signing,
  ): Promise<ActionAuth> {
    const offer = { terms, hirer: hirer.address, arbiter: ZeroAddress, token: this.usdc };
    return this.sign(worker, escrow, 'SubmitQuote', offer, quote);
  }

  /** Members of an action that no other action has. */
  private nextFields(nonce: bigint, actionId?: string): ActionFields {
    nextAction += 1;
    return {
      actionId: actionIdHash(actionId ?? `act_${nextAction}`),
      requestDigest: EMPTY_REQUEST_DIGEST,
      nonce,
      validUntil: FAR,
    };
  }

  private async sign<P extends EscrowPrimaryType>(
    signer: Wallet,
    escrowAddress: Hex,
    primaryType: P,
    own: Omit<EscrowMessages[P], keyof ActionFields>,
    { actionId }: Signing = {},
  ): Promise<ActionAuth> {
    const nonce = await this.nonceOf(escrowAddress, primaryType, own as { nodeId?: bigint; terms?: NodeTerms });
    const fields = this.nextFields(nonce, actionId);
    const message = { ...own, ...fields } as unknown as EscrowMessages[P];
    const data = escrowTypedData(primaryType, { chainId: ANVIL_CHAIN_ID, escrowAddress }, message);
    const { EIP712Domain: _domain, ...types } = data.types;
    return { ...fields, signature: (await signer.signTypedData(data.domain, types as any, data.message)) as Hex };
  }

  /** The nonce of an action about a node names the version that the node has now. */
  private async nonceOf(
    escrow: Hex,
    primaryType: EscrowPrimaryType,
    { nodeId, terms }: { nodeId?: bigint; terms?: NodeTerms },
  ): Promise<bigint> {
    if (terms !== undefined) return nodeNonce(terms.nodeId, 0);
    if (nodeId === undefined || primaryType === 'WithdrawEarnings') return FIRST_WITHDRAWAL_NONCE + BigInt(nextAction);
    const data = await this.anvil.rpc<string>('eth_call', { to: escrow, data: encodeNodeCall(nodeId) }, 'latest');
    return nodeNonce(nodeId, decodeNodeResult(data).version);
  }

  private async transact(transaction: Record<string, string>): Promise<Record<string, string>> {
    const hash = await this.anvil.rpc<string>('eth_sendTransaction', transaction);
    const receipt = await this.receipt(hash);
    if (receipt?.status !== '0x1') throw new Error(`A transaction was refused: ${JSON.stringify(receipt)}`);
    return receipt;
  }

  /** The receipt. Waits for it, because Anvil answers before it has mined the transaction. */
  private async receipt(hash: string): Promise<Record<string, string> | null> {
    for (let look = 0; look < 500; look += 1) {
      const found = await this.anvil.rpc<Record<string, string> | null>('eth_getTransactionReceipt', hash);
      if (found) return found;
      await new Promise((resolve) => setTimeout(resolve, look < 10 ? 1 : 10));
    }
    return null;
  }
}

const usdcInterface = new Interface(localUsdcAbi);

function predictable(address: string): Hex {
  return usdcInterface.getAbiCoder().decode(['address'], `0x${address.slice(2).padStart(64, '0')}`)[0] as Hex;
}
