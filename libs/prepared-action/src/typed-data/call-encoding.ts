import type { Hex } from '#libs/notation';
import { type Argument, type ArgumentType, AUTH_MEMBERS, FORMS, TYPES } from './call-data.js';
import { NODE_TERMS_MEMBERS } from './typed-data-schemas.js';

const WORD = 64;

/**
 * The data of a call as `decodeCall` reads it, for what stands in for the service in tests. Throws TypeError on a function
 * that no contract of these has, and on arguments that are not its own.
 */
export function encodeCall(contract: keyof typeof FORMS, name: string, args: Readonly<Record<string, Argument>>): Hex {
  const [selector, form] =
    Object.entries<string>(FORMS[contract]).find(([, text]) => text.split(' ')[0] === name) ?? [];
  if (selector === undefined || form === undefined) throw new TypeError(`No function ${name}`);
  const parts = form
    .split(' ')
    .slice(1)
    .map((member) => encode(TYPES[member] ?? 'uint', args[member]));
  return `${selector as Hex}${joined(parts)}`;
}

/** One argument: its words, and whether an offset stands in their place. */
interface Part {
  readonly digits: string;
  readonly isDynamic: boolean;
}

/** Heads, then the tails that their offsets lead to. */
function joined(parts: readonly Part[]): string {
  const headLength = parts.reduce((sum, { digits, isDynamic }) => sum + (isDynamic ? WORD : digits.length), 0);
  let [head, tail] = ['', ''];
  for (const { digits, isDynamic } of parts) {
    if (!isDynamic) head += digits;
    else {
      head += word((headLength + tail.length) / 2);
      tail += digits;
    }
  }
  return head + tail;
}

function encode(type: ArgumentType, value: Argument | undefined): Part {
  switch (type) {
    case 'bytes':
      return { digits: bytesOf(textOf(value)), isDynamic: true };
    case 'bytes[]': {
      const items = (Array.isArray(value) ? value : []).map((item: Argument) => encode('bytes', item));
      return { digits: word(items.length) + joined(items), isDynamic: true };
    }
    case 'auth': {
      const members = membersOf(value);
      const fixed = AUTH_MEMBERS.map(([name]) => encode('uint', members[name]));
      return { digits: joined([...fixed, encode('bytes', members['signature'])]), isDynamic: true };
    }
    case 'terms': {
      const members = membersOf(value);
      const digits = NODE_TERMS_MEMBERS.map(({ name }) => encode('uint', members[name]).digits).join('');
      return { digits, isDynamic: false };
    }
    case 'uint':
    case 'address':
    case 'bytes32':
    case 'bool':
      return { digits: word(typeof value === 'boolean' ? Number(value) : textOf(value)), isDynamic: false };
  }
}

function bytesOf(hex: string): string {
  const digits = hex.slice(2);
  return word(digits.length / 2) + digits.padEnd(Math.ceil(digits.length / WORD) * WORD, '0');
}

function word(value: string | number): string {
  return BigInt(value).toString(16).padStart(WORD, '0');
}

function textOf(value: Argument | undefined): string {
  if (typeof value !== 'string') throw new TypeError('An argument is missing');
  return value;
}

function membersOf(value: Argument | undefined): Readonly<Record<string, Argument>> {
  if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError('An argument is missing');
  return value as Readonly<Record<string, Argument>>;
}
