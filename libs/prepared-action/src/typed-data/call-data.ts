import { NODE_TERMS_MEMBERS } from './typed-data-schemas.js';
import { type Hex, isHex } from '#libs/notation';

/** A decoded argument: integers as decimal text, addresses and bytes as lower-case `0x` text. */
export type Argument = string | boolean | readonly Argument[] | { readonly [name: string]: Argument };
export interface DecodedCall {
  readonly name: string;
  readonly args: Readonly<Record<string, Argument>>;
}

type ArgumentType = 'uint' | 'address' | 'bytes32' | 'bool' | 'bytes' | 'bytes[]' | 'terms' | 'auth';
interface CallForm {
  readonly name: string;
  readonly params: readonly (readonly [name: string, type: ArgumentType])[];
}

const AUTH = ['auth', 'auth'] as const;
const TERMS = ['terms', 'terms'] as const;
const NODE = ['nodeId', 'uint'] as const;
const MODE = ['mode', 'uint'] as const;
const PERMIT = ['permit', 'bytes'] as const;
const ARTIFACT = ['artifactHash', 'bytes32'] as const;
const BOTH_AUTHS = [['hirerAuth', 'auth'] as const, ['workerAuth', 'auth'] as const] as const;
const AMOUNT = ['amount', 'uint'] as const;
const ACCOUNT = ['account', 'address'] as const;
const RECIPIENT = ['recipient', 'address'] as const;

/** The functions of the escrow that an action may call, by selector; `multicall` carries others. */
const ESCROW_CALLS: Readonly<Record<string, CallForm>> = {
  '0xef3b0ece': { name: 'fundTask', params: [TERMS, MODE, ...BOTH_AUTHS, PERMIT] },
  '0xe30fd553': { name: 'subcontract', params: [TERMS, MODE, ...BOTH_AUTHS, PERMIT] },
  '0xb346a659': { name: 'deliver', params: [NODE, ARTIFACT, ['payOut', 'bool'], AUTH] },
  '0xe326b76d': { name: 'resolveTask', params: [NODE, ARTIFACT, AUTH] },
  '0xcc851b2d': { name: 'rejectTask', params: [NODE, ARTIFACT, ['reasonHash', 'bytes32'], AUTH] },
  '0x2d4398a3': { name: 'abandonNode', params: [NODE, AUTH] },
  '0xb93a9adc': { name: 'claimNonDelivery', params: [NODE, ACCOUNT, AUTH] },
  '0x775e0bba': { name: 'disputeNode', params: [NODE, ['evidenceHash', 'bytes32'], AUTH] },
  '0x7cb8e890': { name: 'withdrawEarnings', params: [NODE, RECIPIENT, AMOUNT, AUTH] },
  '0x15ef9bd2': { name: 'withdrawRefund', params: [ACCOUNT, RECIPIENT, AMOUNT, AUTH] },
  '0xe0126aab': { name: 'finalize', params: [NODE] },
  '0xac9650d8': { name: 'multicall', params: [['calls', 'bytes[]']] },
};

const FACTORY_CALLS: Readonly<Record<string, CallForm>> = {
  '0x9daa1847': {
    name: 'createTree',
    params: [
      ['buyer', 'address'],
      ['arbiter', 'address'],
      ['treeId', 'bytes32'],
      ['call', 'bytes'],
    ],
  },
};

const TOKEN_CALLS: Readonly<Record<string, CallForm>> = {
  '0x095ea7b3': { name: 'approve', params: [['spender', 'address'], AMOUNT] },
};

const FORMS = { escrow: ESCROW_CALLS, factory: FACTORY_CALLS, token: TOKEN_CALLS };

const WORD = 64;
const MAX_CALLS = 64;
const AUTH_MEMBERS = [
  ['actionId', 'bytes32'],
  ['requestDigest', 'bytes32'],
  ['nonce', 'uint'],
  ['validUntil', 'uint'],
] as const;

/** A call of one of the three contracts, as Solidity would read it; null for any function that is not known here. */
export function decodeCall(contract: keyof typeof FORMS, data: string): DecodedCall | null {
  if (!isHex(data)) return null;
  const text = data.toLowerCase();
  const forms = FORMS[contract];
  const selector = text.slice(0, 10);
  const form = Object.hasOwn(forms, selector) ? forms[selector] : undefined;
  if (form === undefined) return null;
  try {
    return { name: form.name, args: decodeArguments(form, text.slice(10)) };
  } catch {
    return null;
  }
}

function decodeArguments({ params }: CallForm, digits: string): Record<string, Argument> {
  const args: Record<string, Argument> = {};
  let at = 0;
  for (const [name, type] of params) {
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
  const bytes = digits.slice(WORD, WORD + length);
  if (bytes.length !== length) throw new RangeError('Data ends too early');
  return `0x${bytes}`;
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
  const found = digits.slice(at * WORD, (at + 1) * WORD);
  if (found.length !== WORD) throw new RangeError('Data ends too early');
  return found;
}
