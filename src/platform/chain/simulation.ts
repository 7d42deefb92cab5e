import { Injectable } from '@nestjs/common';
import {
  checksumAddress,
  decodeRevert,
  type DecodedRevert,
  decodeSkippedCall,
  type SkippedCall,
} from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import { ChainClient, unavailable } from './chain-client.js';
import { ChainConfig } from './chain-config.js';
import { TRIED_GAS } from './foreign-gas.js';
import { RpcEndpoint, RpcRefusal } from './rpc/rpc-endpoint.js';
import { fieldsIn, listIn, readCount, readData, readQuantity } from './rpc/rpc-shapes.js';

/** A call as it would be sent. */
export interface SimulatedCall {
  from: string;
  to: string;
  data: string;
}

/** USDC that a simulated call moved, base units. */
export interface SimulatedTransfer {
  /** EIP-55. */
  from: Hex;
  to: Hex;
  amount: bigint;
}

/** What calls would do, one after the other, on top of a block. */
export interface Simulation {
  source: 'eth_simulateV1' | 'eth_call';
  /** In order; empty when a call reverts, and where the endpoint can only try calls without tracing them. */
  transfers: SimulatedTransfer[];
  /** The first call that fails; `revert` is null for an error that is not known. */
  failure: { revert: DecodedRevert | null } | null;
  /** Members of a batch of an escrow that would be left out, although the batch goes through; none without traces. */
  skipped: SkippedCall[];
  /** Gas of all calls together; null where the endpoint does not say. */
  gasUnits: bigint | null;
  /** The block on top of which they were tried. */
  block: number;
}

/** `Transfer(address,address,uint256)` of ERC-20. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Error codes of endpoints that do not have the method, or not with these parameters. */
const UNSUPPORTED_CODES: ReadonlySet<unknown> = new Set([-32601, -32602, -32004]);
const UNSUPPORTED = /not (?:found|supported|available|allowed|implemented|whitelisted)|unsupported|unknown method/i;

/**
 * Tries calls on the chain's latest state without sending them, each within a bound of gas and time: with
 * `eth_simulateV1` and its traces where the endpoint has that, otherwise only the first of them, with `eth_call`.
 */
@Injectable()
export class ChainSimulation {
  constructor(
    private readonly endpoint: RpcEndpoint,
    private readonly chain: ChainClient,
    private readonly config: ChainConfig,
  ) {}

  /** @param calls at least one. @throws ChainUnavailableError. */
  async run(calls: readonly SimulatedCall[]): Promise<Simulation> {
    const traced = await this.traced(calls);
    return traced ?? this.tried(calls);
  }

  /** Wei per unit of gas. @throws ChainUnavailableError. */
  async gasPrice(): Promise<bigint> {
    try {
      return readQuantity(await this.endpoint.send('eth_gasPrice', []));
    } catch (error) {
      throw unavailable(error);
    }
  }

  /** Null when the endpoint does not support the method. */
  private async traced(calls: readonly SimulatedCall[]): Promise<Simulation | null> {
    const gas = `0x${TRIED_GAS.toString(16)}`;
    const bounded = calls.map((call) => ({ ...call, gas }));
    const request = { blockStateCalls: [{ calls: bounded }], traceTransfers: true, validation: false };
    try {
      // Endpoints give different numbers to the simulated block, so the head's number is asked for.
      const [answer, block] = await Promise.all([
        this.endpoint.sendForeign(ownerOf(calls), 'eth_simulateV1', [request, 'latest']),
        this.chain.blockNumber(),
      ]);
      const [made] = listIn(answer);
      return this.outcomeOf(calls, listIn(fieldsIn(made)['calls']).map(fieldsIn), block);
    } catch (error) {
      if (error instanceof RpcRefusal && isUnsupported(error.answer)) return null;
      throw unavailable(error);
    }
  }

  private outcomeOf(
    calls: readonly SimulatedCall[],
    results: readonly Readonly<Record<string, unknown>>[],
    block: number,
  ): Simulation {
    const failed = results.find(({ status }) => readCount(status) !== 1);
    const gasUnits = results.reduce((sum, { gasUsed }) => sum + readQuantity(gasUsed), 0n);
    if (failed) {
      const failure = { revert: decodeRevert(revertDataOf(failed)) };
      return { source: 'eth_simulateV1', transfers: [], failure, skipped: [], gasUnits: null, block };
    }
    const logs = results.flatMap((result) => listIn(result['logs'])).map(fieldsIn);
    const transfers = logs.flatMap((log) => this.transferOf(log));
    const skipped = logs.flatMap((log) => skippedIn(log, calls));
    return { source: 'eth_simulateV1', transfers, failure: null, skipped, gasUnits, block };
  }

  private transferOf({ address, topics, data }: Readonly<Record<string, unknown>>): SimulatedTransfer[] {
    const [signature, from, to] = listIn(topics);
    const isUsdc = typeof address === 'string' && address.toLowerCase() === this.config.usdcAddress.toLowerCase();
    if (!isUsdc || signature !== TRANSFER) return [];
    return [{ from: addressIn(from), to: addressIn(to), amount: BigInt(readData(data)) }];
  }

  /** Of several calls only the first can be tried: those after it need what it would leave behind. */
  private async tried([first]: readonly SimulatedCall[]): Promise<Simulation> {
    if (first === undefined) throw new TypeError('There is no call to try');
    const call = { ...first, gas: TRIED_GAS, foreignFor: first.from };
    const [outcome, block] = await Promise.all([this.chain.rawCall(call), this.chain.blockNumber()]);
    const failure = outcome.reverted ? { revert: outcome.revert } : null;
    return { source: 'eth_call', transfers: [], failure, skipped: [], gasUnits: null, block };
  }
}

/** The sender counts as the owner of the calls: they may run the contracts of wallets, the sender's above all. */
function ownerOf([first]: readonly SimulatedCall[]): string {
  return first?.from ?? '';
}

function isUnsupported(answer: unknown): boolean {
  const { code, message } = { code: undefined, message: undefined, ...(typeof answer === 'object' ? answer : {}) };
  return UNSUPPORTED_CODES.has(code) || (typeof message === 'string' && UNSUPPORTED.test(message));
}

/** The revert data, which endpoints put into `returnData` or into `error.data`; `0x` without any. */
function revertDataOf({ returnData, error }: Readonly<Record<string, unknown>>): Hex {
  const inError = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  const data = [inError, returnData].find((text) => typeof text === 'string' && text !== '0x' && isHex(text));
  return typeof data === 'string' && isHex(data) ? data : '0x';
}

/** Only a log of the contract that is called counts: it may run contracts of strangers, whose logs say what they like. */
function skippedIn(
  { address, topics, data }: Readonly<Record<string, unknown>>,
  calls: readonly SimulatedCall[],
): SkippedCall[] {
  const isCalled = calls.some(({ to }) => to.toLowerCase() === String(address).toLowerCase());
  const skipped = isCalled ? decodeSkippedCall({ topics: listIn(topics).map(String), data: readData(data) }) : null;
  return skipped === null ? [] : [skipped];
}

/** The address in a topic of 32 bytes. */
function addressIn(topic: unknown): Hex {
  return checksumAddress(`0x${readData(topic).slice(-40)}`);
}
