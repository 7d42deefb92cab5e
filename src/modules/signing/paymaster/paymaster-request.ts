import { EVM_ADDRESS_PATTERN, type Hex, isHex } from '#libs/kernel';
import { CHECK_GAS, TRIED_GAS } from '../../../platform/chain/foreign-gas.js';
import type { EntryPointVersion } from '../../../platform/config/environment.js';

/** A request that is answered with an error of JSON-RPC. */
export class PaymasterRefusal extends Error {
  override readonly name = 'PaymasterRefusal';

  constructor(
    readonly code: -32_600 | -32_601 | -32_602 | -32_000,
    message: string,
  ) {
    super(message);
  }
}

/** The two methods of ERC-7677: what a wallet estimates gas with, and what it sends. */
const METHODS = ['pm_getPaymasterStubData', 'pm_getPaymasterData'] as const;
export type PaymasterMethod = (typeof METHODS)[number];

/** Members of an operation in any version of ERC-4337; everything else that a wallet adds is dropped. */
const MEMBERS = [
  'sender',
  'nonce',
  'initCode',
  'factory',
  'factoryData',
  'callData',
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'paymaster',
  'paymasterAndData',
  'paymasterData',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
  'signature',
] as const;
const AUTHORIZATION_MEMBERS = ['chainId', 'address', 'nonce', 'yParity', 'r', 's'] as const;

/** The one contract of each version, at the same address of every chain. */
const ENTRY_POINTS: Readonly<Record<EntryPointVersion, string>> = {
  '0.6': '0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789',
  '0.7': '0x0000000071727de22e5e9d8baf0edac6f37da032',
  '0.8': '0x4337084d9e255ff0702461cf8895ce9e3b5ff108',
};
/** All that an operation names gas for. Whoever bundles it, who may be its sender, is paid for all of it. */
const GAS_LIMITS = [
  'callGasLimit',
  'verificationGasLimit',
  'preVerificationGas',
  'paymasterVerificationGasLimit',
  'paymasterPostOpGasLimit',
] as const;
/**
 * Gas beside an operation's own code: some 100,000 for its bytes, as much for the paymaster's code twice, and what the
 * data costs on the chain below, which chains of a second layer have in `preVerificationGas`: millions of their cheap gas
 * on a dear day. Nobody measures it again: it is paid in full.
 */
const EXTRA_GAS = 5_000_000;
/** Gas of an operation at most: what an action takes, a wallet that makes and checks itself, and what is beside them. */
const MOST_GAS = BigInt(TRIED_GAS + CHECK_GAS + EXTRA_GAS);
/** Members that say what a unit of gas may cost, in wei. */
const PRICES = ['maxFeePerGas', 'maxPriorityFeePerGas'] as const;
/**
 * How often the chain's price an operation may offer. A wallet offers twice the price that it sees, so that it is still
 * taken when that rises; and the price can fall by half between its look and ours, in six empty blocks.
 */
const MOST_PRICES = 4n;
/** What every operation names by the time that it is signed; the estimates of a wallet's first question may be missing. */
const ESTIMATES = ['callGasLimit', 'verificationGasLimit', 'preVerificationGas', ...PRICES] as const;
const LONGEST_ID = 100;

/** A request as it is passed on. */
export interface PaymasterRequest {
  readonly method: PaymasterMethod;
  readonly sender: string;
  readonly callData: Hex;
  /** Only members that are known, each of them hexadecimal text. */
  readonly operation: Readonly<Record<string, unknown>>;
  readonly entryPoint: string;
  readonly version: EntryPointVersion;
  /** The most that the operation offers for a unit of gas, in wei; 0 as long as it names no price. */
  readonly price: bigint;
  /** True: gas and price are named, so that they were held against their bounds. */
  readonly isEstimated: boolean;
}

/** The id of a request, which its answer repeats; null when it has none that could be one. */
export function idOf(body: object): string | number | null {
  const id: unknown = 'id' in body ? body.id : null;
  return typeof id === 'number' || (typeof id === 'string' && id.length <= LONGEST_ID) ? id : null;
}

/**
 * Reads a request of ERC-7677: `[operation, entry point, chain id, context]`. The context is not read: it is the
 * operator's.
 * @throws PaymasterRefusal for another method, chain or EntryPoint, for an operation of another shape, and for one that
 * may use more gas than any action and what goes with it.
 */
export function readPaymasterRequest(
  body: object,
  { chainId, versions }: { chainId: number; versions: readonly EntryPointVersion[] },
): PaymasterRequest {
  const fields: Readonly<Record<string, unknown>> = { ...body };
  const { jsonrpc, method, params } = fields;
  if (jsonrpc !== '2.0' || typeof method !== 'string') {
    throw new PaymasterRefusal(-32_600, 'This is no request of JSON-RPC 2.0.');
  }
  const known = METHODS.find((name) => name === method);
  if (known === undefined) throw new PaymasterRefusal(-32_601, `Only ${METHODS.join(' and ')} are answered here.`);
  const [given, entryPoint, chain]: unknown[] = Array.isArray(params) ? params : [];
  const address = typeof entryPoint === 'string' ? entryPoint.toLowerCase() : null;
  const version = versions.find((one) => ENTRY_POINTS[one] === address);
  if (version === undefined) throw refused('The paymaster does not pay at this EntryPoint.');
  if (typeof chain !== 'string' || quantityOf(chain) !== BigInt(chainId)) {
    throw refused(`The paymaster pays on chain ${chainId} alone.`);
  }
  const operation = operationIn(given);
  const { sender, callData } = operation;
  if (typeof sender !== 'string' || !EVM_ADDRESS_PATTERN.test(sender)) throw refused('The operation has no sender.');
  if (typeof callData !== 'string' || !isHex(callData)) throw refused('The operation has no call data.');
  const gas = quantitiesOf(operation, GAS_LIMITS).reduce((sum, limit) => sum + limit, 0n);
  if (gas > MOST_GAS) throw refused('The operation may use more gas than its action takes.');
  const isEstimated = ESTIMATES.every((name) => operation[name] !== undefined);
  // A paymaster that signs for what is not named would sign for anything.
  if (!isEstimated && known === 'pm_getPaymasterData') throw refused('The operation names no gas, or no price.');
  const price = quantitiesOf(operation, PRICES).reduce((most, one) => (one > most ? one : most), 0n);
  return { method: known, sender, callData, operation, entryPoint: ENTRY_POINTS[version], version, price, isEstimated };
}

/**
 * Passes for an operation that offers no more than a few times what the chain takes: whoever bundles it is paid what it
 * offers, out of the operator's deposit.
 * @param gasPrice of the chain now, in wei. @throws PaymasterRefusal.
 */
export function requirePrice({ price }: Pick<PaymasterRequest, 'price'>, gasPrice: bigint): void {
  if (price > MOST_PRICES * gasPrice) throw refused(`The operation offers over ${MOST_PRICES} times the price of gas.`);
}

function operationIn(given: unknown): Record<string, unknown> {
  const operation: Record<string, unknown> = hexMembers(given, MEMBERS);
  const authorization =
    typeof given === 'object' && given !== null && 'eip7702Auth' in given ? given.eip7702Auth : null;
  // An account that becomes one with this operation (EIP-7702) signs for the code that it takes.
  if (authorization !== null && authorization !== undefined)
    operation['eip7702Auth'] = hexMembers(authorization, AUTHORIZATION_MEMBERS);
  return operation;
}

/** The members of these names. A null counts as absent. */
function hexMembers(given: unknown, names: readonly string[]): Record<string, string> {
  if (typeof given !== 'object' || given === null) throw refused('The operation is no object.');
  const members: Record<string, string> = {};
  for (const [name, value] of Object.entries(given)) {
    if (!names.includes(name) || value === null || value === undefined) continue;
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]*$/.test(value)) throw refused(`${name} is not hexadecimal.`);
    members[name] = value;
  }
  return members;
}

/** The members of these names that the operation has. @throws PaymasterRefusal for one that is no quantity. */
function quantitiesOf(operation: Readonly<Record<string, unknown>>, names: readonly string[]): bigint[] {
  return names.flatMap((name) => {
    const text = operation[name];
    if (text === undefined) return [];
    const quantity = quantityOf(text);
    if (quantity === null) throw refused(`${name} is no quantity.`);
    return [quantity];
  });
}

function quantityOf(value: unknown): bigint | null {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value) ? BigInt(value) : null;
}

function refused(message: string): PaymasterRefusal {
  return new PaymasterRefusal(-32_602, message);
}
