import { ContractFactory, HDNodeWallet, JsonRpcProvider, Mnemonic, Wallet, ZeroAddress } from 'ethers';
import {
  type ActionFields,
  type ActionAuth,
  deploymentPlan,
  encodeCreateTree,
  encodeFundTask,
  encodeSubcontract,
  escrowTypedData,
  FundingMode,
  localUsdcAbi,
  localUsdcBytecode,
  nodeNonce,
  type NodeTerms,
  predictEscrowAddress,
  treeIdOf,
  type TypedData,
} from '../../libs/contracts/src/index.js';
import { childPath, type Hex, parentPath } from '../../libs/kernel/src/index.js';
import { Anvil, ANVIL_CHAIN_ID } from './spec-chain.js';

/** The published development mnemonic, whose keys own nothing outside local chains. */
const MNEMONIC = Mnemonic.fromPhrase('test test test test test test test test test test test junk');
const ZERO32 = `0x${'00'.repeat(32)}` as const;
const YEAR = 31_536_000;

/** A tree that a spec works with. */
export interface FixtureTree {
  taskId: string;
  escrow: Hex;
}

/** A local chain with the contracts deployed, and the few transactions that make a node `funded`. */
export class EscrowFixture {
  readonly provider: JsonRpcProvider;
  readonly buyer = walletAt(1);
  readonly worker = walletAt(2);
  readonly subworker = walletAt(3);
  usdc!: Hex;
  factory!: Hex;
  implementation!: Hex;

  private constructor(private readonly anvil: Anvil) {
    this.provider = new JsonRpcProvider(anvil.url, ANVIL_CHAIN_ID, { staticNetwork: true, cacheTimeout: -1 });
    this.provider.pollingInterval = 20;
  }

  static async start(): Promise<EscrowFixture> {
    const fixture = new EscrowFixture(await Anvil.start());
    const deployer = walletAt(0).address;
    fixture.usdc = await fixture.deploy(localUsdcAbi, localUsdcBytecode, [deployer]);
    const { factory, implementation, transaction } = deploymentPlan(fixture.usdc);
    await (await walletAt(0).connect(fixture.provider).sendTransaction(transaction)).wait();
    Object.assign(fixture, { factory, implementation });
    return fixture;
  }

  async stop(): Promise<void> {
    this.provider.destroy();
    await this.anvil.stop();
  }

  get rpcUrl(): string {
    return this.anvil.url;
  }

  /** Deploys the tree of a task and gives its buyer money. */
  async openTree(taskId: string): Promise<FixtureTree> {
    const tree = { buyer: this.buyer.address, arbiter: ZeroAddress, treeId: treeIdOf(taskId) };
    const escrow = predictEscrowAddress({ factory: this.factory, implementation: this.implementation, ...tree });
    await this.send(walletAt(0), this.factory, encodeCreateTree(tree));
    await this.token(walletAt(0), 'mint', [this.buyer.address, 1_000_000_000n]);
    await this.token(this.buyer, 'approve', [escrow, 1_000_000_000n]);
    return { taskId, escrow };
  }

  /** Funds a root node of `worker`. */
  async fundRoot({ escrow }: FixtureTree, index: number, amount: bigint): Promise<NodeTerms> {
    const terms = this.terms({ nodeId: childPath(0n, index), amount, worker: this.worker.address });
    const quote = await this.signedQuote(escrow, terms, this.worker, this.buyer.address);
    const data = encodeFundTask(terms, { mode: FundingMode.Allowance }, this.auth(nodeNonce(terms.nodeId, 0)), quote);
    await this.send(this.buyer, escrow, data);
    return terms;
  }

  /** Pays a child node of `subworker` from a root node of `worker`. */
  async carveOut({ escrow }: FixtureTree, parent: bigint, index: number, amount: bigint): Promise<NodeTerms> {
    const terms = this.terms({ nodeId: childPath(parent, index), amount, worker: this.subworker.address });
    const quote = await this.signedQuote(escrow, terms, this.subworker, this.worker.address);
    const auth = this.auth(nodeNonce(terms.nodeId, 0));
    await this.send(this.worker, escrow, encodeSubcontract(terms, { mode: FundingMode.ParentNode }, auth, quote));
    return terms;
  }

  /** Sends a transaction from a wallet. Rejects when it reverts. @returns the hash of the mined transaction. */
  async send(from: Wallet, to: string, data: string): Promise<string> {
    const response = await from.connect(this.provider).sendTransaction({ to, data });
    await response.wait();
    return response.hash;
  }

  /** What authorises an action with this nonce that its signer sends itself. */
  auth(nonce: bigint): ActionAuth {
    return { ...fields(nonce), signature: '0x' };
  }

  private terms(own: Pick<NodeTerms, 'nodeId' | 'amount' | 'worker'>): NodeTerms {
    const isRoot = parentPath(own.nodeId) === 0n;
    // A child ends a day before its parent, whichever second either is made in.
    const workSeconds = 86_400 * (isRoot ? 7 : 6);
    const rest = { acceptWindow: 259_200, maxRevisions: 3, hirerFunded: isRoot, termsHash: ZERO32 };
    return { ...own, floor: own.amount / 2n, workSeconds, ...rest };
  }

  private async signedQuote(escrow: Hex, terms: NodeTerms, signer: Wallet, hirer: string): Promise<ActionAuth> {
    const own = fields(nodeNonce(terms.nodeId, 0));
    const data = escrowTypedData(
      'SubmitQuote',
      { chainId: ANVIL_CHAIN_ID, escrowAddress: escrow },
      { terms, hirer, arbiter: ZeroAddress, token: this.usdc, ...own },
    );
    return { ...own, signature: await signTypedData(signer, data) };
  }

  private async token(from: Wallet, name: 'mint' | 'approve', values: unknown[]): Promise<void> {
    const data = new ContractFactory(localUsdcAbi, localUsdcBytecode).interface.encodeFunctionData(name, values);
    await this.send(from, this.usdc, data);
  }

  private async deploy(abi: readonly any[], bytecode: string, args: unknown[]): Promise<Hex> {
    const contract = await new ContractFactory(abi, bytecode, walletAt(0).connect(this.provider)).deploy(...args);
    await contract.waitForDeployment();
    return (await contract.getAddress()) as Hex;
  }
}

/** Signs typed data as a wallet does that is given the payload. */
export async function signTypedData(
  signer: Wallet,
  data: Pick<TypedData, 'domain' | 'types' | 'message'>,
): Promise<Hex> {
  const { EIP712Domain: _domain, ...types } = data.types;
  return (await signer.signTypedData(data.domain, types as any, data.message)) as Hex;
}

/** The key of an account of anvil. */
export function walletAt(index: number): Wallet {
  return new Wallet(HDNodeWallet.fromMnemonic(MNEMONIC, `m/44'/60'/0'/0/${index}`).privateKey);
}

function fields(nonce: bigint): ActionFields {
  const validUntil = BigInt(Math.floor(Date.now() / 1000) + YEAR);
  return { actionId: ZERO32, requestDigest: ZERO32, nonce, validUntil };
}
