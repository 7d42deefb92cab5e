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
/** Gas of an operation's own code at most: what an action takes, and a wallet that makes and checks itself. */
const MOST_GAS = BigInt(TRIED_GAS + CHECK_GAS);
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
}

/** The id of a request, which its answer repeats; null when it has none that could be one. */
export function idOf(body: object): string | number | null {
  const { id = null } = body as { id?: unknown };
  return typeof id === 'number' || (typeof id === 'string' && id.length <= LONGEST_ID) ? id : null;
}

/**
 * Reads a request of ERC-7677: `[operation, entry point, chain id, context]`. The context is not read: it is the
 * operator's.
 * @throws PaymasterRefusal for another method, chain or EntryPoint, for an operation of another shape, and for one that
 * may use more gas than any action.
 */
export function readPaymasterRequest(
  body: object,
  { chainId, versions }: { chainId: number; versions: readonly EntryPointVersion[] },
): PaymasterRequest {
  const { jsonrpc, method, params } = { jsonrpc: undefined, method: undefined, params: undefined, ...body };
  if (jsonrpc !== '2.0' || typeof method !== 'string') {
    throw new PaymasterRefusal(-32_600, 'This is no request of JSON-RPC 2.0.');
  }
  const known = METHODS.find((name) => name === method);
  if (known === undefined) throw new PaymasterRefusal(-32_601, `Only ${METHODS.join(' and ')} are answered here.`);
  const [given, entryPoint, chain]: unknown[] = Array.isArray(params) ? params : [];
  const version = versions.find((one) => ENTRY_POINTS[one] === String(entryPoint).toLowerCase());
  if (version === undefined) throw refused('The paymaster does not pay at this EntryPoint.');
  if (typeof chain !== 'string' || quantityOf(chain) !== BigInt(chainId)) {
    throw refused(`The paymaster pays on chain ${chainId} alone.`);
  }
  const operation = operationIn(given);
  const { sender, callData, callGasLimit, verificationGasLimit } = operation;
  if (typeof sender !== 'string' || !EVM_ADDRESS_PATTERN.test(sender)) throw refused('The operation has no sender.');
  if (typeof callData !== 'string' || !isHex(callData)) throw refused('The operation has no call data.');
  const gas = [callGasLimit, verificationGasLimit].map((limit) => quantityOf(limit ?? '0x0'));
  if (gas.some((limit) => limit === null) || gas.reduce<bigint>((sum, limit) => sum + (limit ?? 0n), 0n) > MOST_GAS) {
    throw refused('The operation may use more gas than its action takes.');
  }
  return { method: known, sender, callData, operation, entryPoint: ENTRY_POINTS[version], version };
}

function operationIn(given: unknown): Record<string, unknown> {
  const operation: Record<string, unknown> = hexMembers(given, MEMBERS);
  const authorization: unknown = Object.entries(given ?? {}).find(([name]) => name === 'eip7702Auth')?.[1] ?? null;
  // An account that becomes one with this operation (EIP-7702) signs for the code that it takes.
  if (authorization !== null) operation['eip7702Auth'] = hexMembers(authorization, AUTHORIZATION_MEMBERS);
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

function quantityOf(value: unknown): bigint | null {
  return typeof value === 'string' && /^0x[0-9a-fA-F]{1,64}$/.test(value) ? BigInt(value) : null;
}

function refused(message: string): PaymasterRefusal {
  return new PaymasterRefusal(-32_602, message);
}
