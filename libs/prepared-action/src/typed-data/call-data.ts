import { NODE_TERMS_MEMBERS } from './typed-data-schemas.js';
import { type Hex, isHex } from '#libs/notation';

/** A decoded argument: integers as decimal text, addresses and bytes as lower-case `0x` text. */
export type Argument = string | boolean | readonly Argument[] | { readonly [name: string]: Argument };
export interface DecodedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, Argument>>;
}

export type ArgumentType = 'uint' | 'address' | 'bytes32' | 'bool' | 'bytes' | 'bytes[]' | 'terms' | 'auth';

/** The types of parameters, each by its name; those of all others are unsigned integers. */
export const TYPES: Readonly<Record<string, ArgumentType>> = {
  terms: 'terms',
  auth: 'auth',
  hirerAuth: 'auth',
  workerAuth: 'auth',
  permit: 'bytes',
  call: 'bytes',
  calls: 'bytes[]',
  payOut: 'bool',
  artifactHash: 'bytes32',
  reasonHash: 'bytes32',
  evidenceHash: 'bytes32',
  treeId: 'bytes32',
  account: 'address',
  recipient: 'address',
  buyer: 'address',
  arbiter: 'address',
  spender: 'address',
};

/**
 * The functions of each contract that an action may call, by selector: the name, then the names of the parameters.
 * `multicall` carries other calls.
 */
export const FORMS = {
  escrow: {
    '0xef3b0ece': 'fundTask terms mode hirerAuth workerAuth permit',
    '0xe30fd553': 'subcontract terms mode hirerAuth workerAuth permit',
    '0xb346a659': 'deliver nodeId artifactHash payOut auth',
    '0xe326b76d': 'resolveTask nodeId artifactHash auth',
    '0xcc851b2d': 'rejectTask nodeId artifactHash reasonHash auth',
    '0x2d4398a3': 'abandonNode nodeId auth',
    '0xb93a9adc': 'claimNonDelivery nodeId account auth',
    '0x775e0bba': 'disputeNode nodeId evidenceHash auth',
    '0x7cb8e890': 'withdrawEarnings nodeId recipient amount auth',
    '0x15ef9bd2': 'withdrawRefund account recipient amount auth',
    '0xe0126aab': 'finalize nodeId',
    '0xac9650d8': 'multicall calls',
  },
  factory: { '0x9daa1847': 'createTree buyer arbiter treeId call' },
  token: { '0x095ea7b3': 'approve spender amount' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, string>>>>;

const WORD = 64;
const MAX_CALLS = 64;
export const AUTH_MEMBERS = [
  ['actionId', 'bytes32'],
  ['requestDigest', 'bytes32'],
  ['nonce', 'uint'],
  ['validUntil', 'uint'],
] as const;

/** A call of one of the three contracts, as Solidity would read it; null for any function that is not known here. */
export function decodeCall(contract: keyof typeof FORMS, data: string): DecodedCall | null {
  if (!isHex(data)) return null;
  const text = data.toLowerCase();
  const form = Object.entries<string>(FORMS[contract]).find(([selector]) => text.startsWith(selector))?.[1];
  if (form === undefined) return null;
  const [name = '', ...params] = form.split(' ');
  try {
    return { name, args: decodeArguments(params, text.slice(10)) };
  } catch {
    return null;
  }
}

function decodeArguments(params: readonly string[], digits: string): Record<string, Argument> {
  const args: Record<string, Argument> = {};
  let at = 0;
  for (const name of params) {
    const type = TYPES[name] ?? 'uint';
    args[name] = decode(digits, type, at);
    at += type === 'terms' ? NODE_TERMS_MEMBERS.length : 1;
  }
  return args;
}

/** The argument whose head is the word `at`. A dynamic argument's head is its offset from the start of `digits`. */
function decode(digits: string, type: ArgumentType, at: number): Argument {
  switch (type) {
    case 'uint':
      return BigInt(`0x${word(digits, at)}`).toString();
    case 'bytes32':
      return `0x${word(digits, at)}`;
    case 'address':
      if (!/^0{24}/.test(word(digits, at))) throw new RangeError('Not an address');
      return `0x${word(digits, at).slice(24)}`;
    case 'bool':
      if (!/^0{63}[01]$/.test(word(digits, at))) throw new RangeError('Not a flag');
      return word(digits, at).endsWith('1');
    case 'terms':
      return Object.fromEntries(
        NODE_TERMS_MEMBERS.map((member, index) => [member.name, decode(digits, wordType(member.type), at + index)]),
      );
    case 'bytes':
      return bytesAt(digits.slice(offset(digits, at)));
    case 'bytes[]':
      return listAt(digits.slice(offset(digits, at)));
    case 'auth':
      return authAt(digits.slice(offset(digits, at)));
  }
}

function authAt(digits: string): Argument {
  const fixed = AUTH_MEMBERS.map(([name, type], index) => [name, decode(digits, type, index)] as const);
  return { ...Object.fromEntries(fixed), signature: decode(digits, 'bytes', AUTH_MEMBERS.length) };
}

function listAt(digits: string): Argument[] {
  const count = small(digits, 0);
  if (count > MAX_CALLS) throw new RangeError('More calls than any action has');
  const items = digits.slice(WORD);
  return Array.from({ length: count }, (_, index) => decode(items, 'bytes', index));
}

function bytesAt(digits: string): Hex {
  const length = small(digits, 0) * 2;
  return `0x${whole(digits.slice(WORD, WORD + length), length)}`;
}

function wordType(type: string): ArgumentType {
  return type === 'address' || type === 'bool' || type === 'bytes32' ? type : 'uint';
}

function offset(digits: string, at: number): number {
  return small(digits, at) * 2;
}

function small(digits: string, at: number): number {
  const value = BigInt(`0x${word(digits, at)}`);
  if (value > 0xffffffn) throw new RangeError('An offset or a length beyond the data');
  return Number(value);
}

function word(digits: string, at: number): string {
  return whole(digits.slice(at * WORD, (at + 1) * WORD), WORD);
}

function whole(digits: string, length: number): string {
  if (digits.length !== length) throw new RangeError('Data ends too early');
  return digits;
}
