import { HDNodeWallet, JsonRpcProvider, Network, type TransactionLike, Wallet } from 'ethers';
import { decodeRevert } from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import { LOCAL_CHAIN_ID } from './anvil.js';

/**
 * The default seed phrase of local development chains. It is public, so no participant of a market uses its accounts.
 */
const DEV_PHRASE = 'test test test test test test test test test test test junk';
/** A fixed limit: unused gas costs nothing, and an estimate would cost one more request per transaction. */
const GAS_LIMIT = 3_000_000;
const DEPLOYMENT_GAS_LIMIT = 12_000_000;
const MAX_FEE_PER_GAS = 100_000_000_000n;

/** Number and hash of a block. */
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
 * A connection to a local chain. It signs and sends transactions, one after the other, and each is mined at once. It
 * can also set the chain's clock. The relayer (anvil's first account) deploys, relays and mints USDC.
 */
export class LocalChain {
  readonly provider: JsonRpcProvider;
  readonly relayer = new Wallet(HDNodeWallet.fromPhrase(DEV_PHRASE).privateKey);
  /** The newest block with a transaction of this connection; null before the first. */
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

  /**
   * Signs with the wallet, sends, and waits until the transaction is mined. Rejects with an Error that names the
   * contract's reason. `gasLimit` is in gas.
   */
  send(wallet: Wallet, to: string, data: string, gasLimit = GAS_LIMIT): Promise<Mined> {
    return this.inTurn(() => this.transact(wallet, { to, data, gasLimit }));
  }

  /** Deploys a contract from the relayer. `code` is the creation code with its encoded arguments. */
  deploy(code: string): Promise<Mined> {
    return this.inTurn(() => this.transact(this.relayer, { data: code, gasLimit: DEPLOYMENT_GAS_LIMIT }));
  }

  /** Sets an account's ether, for gas. */
  async giveEther(address: string, wei: bigint): Promise<void> {
    await this.provider.send('anvil_setBalance', [address, `0x${wei.toString(16)}`]);
  }

  /**
   * From now on every transaction's block has the time that `clock` returns (unix seconds), at least one second after
   * the last.
   */
  followClock(clock: () => number): void {
    this.history = clock;
  }

  /** Ends `followClock`: mines one block at this time (unix seconds); from then on the chain's time runs by itself. */
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

  /** Moves the chain's clock forward permanently, and mines a block. */
  async travel(seconds: number): Promise<void> {
    await this.provider.send('evm_increaseTime', [seconds]);
    await this.provider.send('evm_mine', []);
  }

  /** Closes the connection and drops pending requests. */
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

  /** Repeats the call on the block in which it failed, to get the contract's error. */
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
