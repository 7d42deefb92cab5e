import { createRequire } from 'node:module';
import {
  concat,
  ContractFactory,
  getAddress,
  type Wallet,
  Interface,
  type InterfaceAbi,
  toBeHex,
  zeroPadValue,
} from 'ethers';
import type { Actor, Call, IntentsMarket } from '../../support/e2e/intents-market.js';
import { walletAt } from '../../support/escrow-fixture.js';

/** ERC-4337's EntryPoint 0.8, at its address of every chain. */
export const ENTRY_POINT = '0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108';
/** A contract that pays for whatever it is asked to. */
export const ACCEPTING_PAYMASTER = '0x00000000000000000000000000000000000A11CE';
/** Returns an empty context and "valid for ever" (`validatePaymasterUserOp`): 64, 0, 0. */
const ACCEPTS = '0x604060005260606000f3';
const ACCOUNTS = 100;
const GAS = { call: 2_000_000n, verification: 500_000n, pre: 100_000n } as const;
const GWEI = 1_000_000_000n;
const SEND_GAS = '0x7a1200';

/** An operation as ERC-7677 takes it. */
export interface Operation {
  sender: string;
  nonce: string;
  callData: string;
  callGasLimit: string;
  verificationGasLimit: string;
  preVerificationGas: string;
  maxFeePerGas: string;
  maxPriorityFeePerGas: string;
  signature: string;
}

/** What a paymaster service gives for an operation. */
export interface Paymaster {
  paymaster: string;
  paymasterData: string;
  paymasterVerificationGasLimit: string;
  paymasterPostOpGasLimit: string;
}

interface Artifact {
  abi: InterfaceAbi;
  bytecode: string;
}

const entryPoint = new Interface(artifact('EntryPoint').abi);
const account = new Interface(artifact('Simple7702Account').abi);

/** Account abstraction (ERC-4337) on the chain of a market, and a bundler of one operation at a time. */
export class AccountAbstraction {
  private constructor(
    private readonly market: IntentsMarket,
    private readonly delegate: string,
  ) {}

  /** Puts EntryPoint, account and paymaster on the chain (prague or newer), and gives the paymaster a deposit. */
  static async install(market: IntentsMarket): Promise<AccountAbstraction> {
    const { anvil } = market.stack.chain;
    const made = await deploy(market, 'EntryPoint');
    await anvil.rpc('anvil_setCode', ENTRY_POINT, await anvil.rpc('eth_getCode', made, 'latest'));
    await anvil.rpc('anvil_setCode', ACCEPTING_PAYMASTER, ACCEPTS);
    const data = entryPoint.encodeFunctionData('depositTo', [ACCEPTING_PAYMASTER]);
    await send(market, { to: ENTRY_POINT, data, value: toBeHex(10n ** 19n) });
    return new AccountAbstraction(market, await deploy(market, 'Simple7702Account'));
  }

  /**
   * Makes the wallets of actors Simple7702Accounts (EIP-7702), and takes all their ether away. One after the other:
   * Anvil gives two transactions that one account sends at once the same nonce.
   */
  async delegateTo(...actors: readonly Actor[]): Promise<void> {
    const { anvil } = this.market.stack.chain;
    for (const { wallet } of actors) {
      const key = keyOf(wallet);
      const nonce = await anvil.rpc<string>('eth_getTransactionCount', wallet, 'latest');
      const authorization = await key.authorize({ address: this.delegate, nonce: BigInt(nonce), chainId: 31_337n });
      const { r, s, yParity } = authorization.signature;
      const authorizationList = [{ chainId: '0x7a69', address: this.delegate, nonce, yParity: toBeHex(yParity), r, s }];
      await send(this.market, { to: wallet, data: '0x', authorizationList });
      await anvil.rpc('anvil_setBalance', wallet, '0x0');
    }
  }

  /** The operation by which the wallet makes these calls, without a signature. */
  async operation({ wallet }: Actor, calls: readonly Call[]): Promise<Operation> {
    const { anvil } = this.market.stack.chain;
    const rows = calls.map(({ to, data }) => [to, 0n, data]);
    const [only] = rows;
    const callData =
      only !== undefined && rows.length === 1
        ? account.encodeFunctionData('execute', only)
        : account.encodeFunctionData('executeBatch', [rows]);
    const data = entryPoint.encodeFunctionData('getNonce', [wallet, 0]);
    const nonce = await anvil.rpc<string>('eth_call', { to: ENTRY_POINT, data }, 'latest');
    return {
      sender: wallet,
      nonce: toBeHex(BigInt(nonce)),
      callData,
      callGasLimit: toBeHex(GAS.call),
      verificationGasLimit: toBeHex(GAS.verification),
      preVerificationGas: toBeHex(GAS.pre),
      maxFeePerGas: toBeHex(3n * GWEI),
      maxPriorityFeePerGas: toBeHex(GWEI),
      signature: '0x',
    };
  }

  /** Signs the operation with the actor's key and has somebody else send it. @returns the transaction's hash. */
  async execute({ wallet }: Actor, operation: Operation, payer: Paymaster): Promise<string> {
    const { anvil } = this.market.stack.chain;
    const packed = (signature: string): unknown[] => [
      operation.sender,
      operation.nonce,
      '0x',
      operation.callData,
      concat([word(operation.verificationGasLimit), word(operation.callGasLimit)]),
      operation.preVerificationGas,
      concat([word(operation.maxPriorityFeePerGas), word(operation.maxFeePerGas)]),
      concat([
        payer.paymaster,
        word(payer.paymasterVerificationGasLimit),
        word(payer.paymasterPostOpGasLimit),
        payer.paymasterData,
      ]),
      signature,
    ];
    const data = entryPoint.encodeFunctionData('getUserOpHash', [packed('0x')]);
    const hash = await anvil.rpc<string>('eth_call', { to: ENTRY_POINT, data }, 'latest');
    const { serialized } = keyOf(wallet).signingKey.sign(hash);
    return send(this.market, {
      to: ENTRY_POINT,
      data: entryPoint.encodeFunctionData('handleOps', [[packed(serialized)], this.market.relayer]),
    });
  }
}

function artifact(name: string): Artifact {
  return createRequire(`${process.cwd()}/package.json`)(`@account-abstraction/contracts/artifacts/${name}.json`);
}

/** Half a word of a packed operation. */
function word(quantity: string): string {
  return zeroPadValue(toBeHex(BigInt(quantity)), 16);
}

/** The key of an account of anvil. */
function keyOf(wallet: string): Wallet {
  for (let at = 0; at < ACCOUNTS; at += 1) {
    const key = walletAt(at);
    if (key.address === getAddress(wallet)) return key;
  }
  throw new Error(`${wallet} is no account of anvil`);
}

async function deploy(market: IntentsMarket, name: string): Promise<string> {
  const { abi, bytecode } = artifact(name);
  const { data } = await new ContractFactory(abi, bytecode).getDeployTransaction();
  const hash = await send(market, { data });
  const receipt = await market.stack.chain.anvil.rpc<any>('eth_getTransactionReceipt', hash);
  return getAddress(receipt.contractAddress);
}

/** Sends a transaction of the relayer. Throws unless it goes through. */
async function send(market: IntentsMarket, transaction: Record<string, unknown>): Promise<string> {
  const call = { from: market.relayer, gas: SEND_GAS, ...transaction };
  const hash = await market.stack.chain.anvil.rpc<string>('eth_sendTransaction', call);
  if (await market.isExecuted(hash)) return hash;
  throw new Error('A transaction of the bundler failed');
}
