import { HDNodeWallet, JsonRpcProvider, Network, type TransactionLike, Wallet } from 'ethers';
import { decodeRevert } from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import { LOCAL_CHAIN_ID } from './anvil.js';

/** The phrase that every local development chain is born with. It is public, so nobody in a market is given its accounts. */
const DEV_PHRASE = 'test test test test test test test test test test test junk';
/** Anvil does not charge for more than is used; estimating would cost a round trip per transaction. */
const GAS_LIMIT = 3_000_000;
const DEPLOYMENT_GAS_LIMIT = 12_000_000;
const MAX_FEE_PER_GAS = 100_000_000_000n;

/** A block as this connection has seen it. */
export interface BlockRef {
  blockNumber: number;
  blockHash: string;
}

export interface Mined extends BlockRef {
  hash: Hex;
  /** Address of the contract that the transaction deployed. */
  contract: string | null;
}

/**
 * A connection to a local chain that really signs and sends transactions, and can set the chain's clock. Transactions
 * are mined at once, one after the other. The relayer (anvil's first account) deploys, relays and hands out USDC.
 */
export class LocalChain {
  readonly provider: JsonRpcProvider;
  readonly relayer = new Wallet(HDNodeWallet.fromPhrase(DEV_PHRASE).privateKey);
  /** The newest block that this connection has made; null before the first. */
  lastBlock: BlockRef | null = null;
  transactionsSent = 0;
  private readonly nonces = new Map<string, number>();
  private next: Promise<unknown> = Promise.resolve();
  private history: (() => number) | null = null;
  private lastTime = 0;

  constructor(rpcUrl: string) {
    const network = Network.from(LOCAL_CHAIN_ID);
    this.provider = new JsonRpcProvider(rpcUrl, network, {
      staticNetwork: network,
      cacheTimeout: -1,
      batchMaxCount: 1,
    });
  }

  /** Signs with the wallet, sends, and waits until it is mined. Rejects with Error naming the contract's reason. */
  send(wallet: Wallet, to: string, data: string): Promise<Mined> {
    return this.inTurn(() => this.transact(wallet, { to, data, gasLimit: GAS_LIMIT }));
  }

  /** Deploys from the relayer. `code` is the creation code with its encoded arguments. */
  deploy(code: string): Promise<Mined> {
    return this.inTurn(() => this.transact(this.relayer, { data: code, gasLimit: DEPLOYMENT_GAS_LIMIT }));
  }

  /** Gives an account ether for gas. */
  async giveEther(address: string, wei: bigint): Promise<void> {
    await this.provider.send('anvil_setBalance', [address, `0x${wei.toString(16)}`]);
  }

  /** From now on every block carries the time that `clock` gives (unix seconds), one second apart at least. */
  followClock(clock: () => number): void {
    this.history = clock;
  }

  /** Ends `followClock`: one block at this time (unix seconds), and from there on time passes by itself. */
  async returnTo(seconds: number): Promise<void> {
    this.history = null;
    await this.provider.send('evm_setNextBlockTimestamp', [Math.max(seconds, this.lastTime + 1)]);
    await this.provider.send('evm_mine', []);
  }

  /** The time that the next block would have, unix seconds. */
  async now(): Promise<number> {
    const block = await this.provider.getBlock('pending');
    if (!block) throw new Error('The chain gave no pending block');
    return block.timestamp;
  }

  /** Moves the chain's clock on for good, and makes a block there. */
  async travel(seconds: number): Promise<void> {
    await this.provider.send('evm_increaseTime', [seconds]);
    await this.provider.send('evm_mine', []);
  }

  /** Ends the connection; what is under way is let go. */
  close(): void {
    this.provider.destroy();
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.next.then(work);
    this.next = result.catch(() => undefined);
    return result;
  }

  private async transact(wallet: Wallet, call: TransactionLike): Promise<Mined> {
    if (this.history) {
      this.lastTime = Math.max(this.history(), this.lastTime + 1);
      await this.provider.send('evm_setNextBlockTimestamp', [this.lastTime]);
    }
    const nonce = this.nonces.get(wallet.address) ?? (await this.provider.getTransactionCount(wallet.address));
    const signed = await wallet.signTransaction({
      ...call,
      type: 2,
      nonce,
      chainId: LOCAL_CHAIN_ID,
      maxFeePerGas: MAX_FEE_PER_GAS,
      maxPriorityFeePerGas: 0n,
    });
    const hash: unknown = await this.provider.send('eth_sendRawTransaction', [signed]);
    if (typeof hash !== 'string' || !isHex(hash)) throw new Error('The chain gave no transaction hash');
    const receipt = await this.receipt(hash);
    this.nonces.set(wallet.address, nonce + 1);
    const { blockNumber, blockHash } = receipt;
    this.lastBlock = { blockNumber, blockHash };
    this.transactionsSent += 1;
    if (receipt.status !== 1)
      throw new Error(
        `Transaction ${hash} was refused: ${await this.reason(wallet.address, call, receipt.blockNumber)}`,
      );
    return { hash, blockNumber, blockHash, contract: receipt.contractAddress };
  }

  private async receipt(hash: string): Promise<BlockRef & { status: number; contractAddress: string | null }> {
    for (let attempt = 0; attempt < 200; attempt += 1) {
      const found = await this.provider.getTransactionReceipt(hash);
      if (found)
        return {
          status: found.status ?? 0,
          blockNumber: found.blockNumber,
          blockHash: found.blockHash,
          contractAddress: found.contractAddress,
        };
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    throw new Error(`Transaction ${hash} was not mined`);
  }

  /** The same call again, against the block it failed in, for the contract's own word. */
  private async reason(from: string, call: TransactionLike, blockNumber: number): Promise<string> {
    try {
      await this.provider.send('eth_call', [{ from, to: call.to, data: call.data }, `0x${blockNumber.toString(16)}`]);
      return 'no reason is known';
    } catch (error) {
      const data = revertData(error);
      return (
        (data && isHex(data) && decodeRevert(data)?.name) || (error instanceof Error ? error.message : String(error))
      );
    }
  }
}

function revertData(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('error' in error)) return null;
  const inner = error.error;
  return typeof inner === 'object' && inner !== null && 'data' in inner && typeof inner.data === 'string'
    ? inner.data
    : null;
}
