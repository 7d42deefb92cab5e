import { type Argument, type DecodedCall, decodeCall } from '../typed-data/call-data.js';
import { FOUND } from './check-copy.js';
import { escrowAddressOf, isAddressText, sameAddress } from '../document/evm-address.js';
import { keccakText } from '../hashing/hashing.js';
import { isObject, type JsonObject } from '../document/plain-json.js';
import { foundText } from '../document/shown-text.js';
import { ownMember, sameHex, type Subject, uintOf } from './verification-input.js';

/** What is wrong with calls: `target` is about where they go, `members` about their arguments. Null: nothing. */
export interface CallFaults {
  readonly target: string | null;
  readonly members: string | null;
}

/** What may come before the action's own call: anybody may write down what time has decided. */
const MAY_COME_BEFORE = ['finalize'];
/** Of a call that `createTree` makes: none. */
const NO_CALL = '0x';
const ETHERLESS: readonly unknown[] = [undefined, '0x0', '0x', '0x00', '0'];
const NO_FAULT: CallFaults = { target: null, members: null };

/**
 * Faults of the calls in the payload that the wallet sends itself (`payload.transaction`, `payload.calls`): they need
 * no signature, so each must be a call that is known here.
 */
export function callFaults(subject: Subject): CallFaults {
  const { payload, form, context } = subject;
  const { transaction, calls } = payload;
  if (transaction === undefined && calls === undefined) return NO_FAULT;
  if (form !== 'escrow') return { target: FOUND.callForbidden(foundText(payload['primaryType'])), members: null };
  const list = calls === undefined ? [transaction] : transaction === undefined ? calls : undefined;
  if (!Array.isArray(list)) return { target: FOUND.callUnreadable, members: null };
  if (isObject(transaction)) {
    const { from, chainId } = transaction;
    if (!sameAddress(from, walletOf(subject))) return { target: FOUND.sender(foundText(from)), members: null };
    if (!isChain(chainId, context.deployment.chainId)) return { target: FOUND.unexpected('chainId'), members: null };
  }
  return faultsOfCalls(subject, list, '0x');
}

/**
 * Faults of calls that carry out the subject's action, with this signature in the place where the contract looks for it.
 * @param signature `0x`: the wallet sends the call itself.
 */
export function faultsOfCalls(subject: Subject, calls: readonly unknown[], signature: string): CallFaults {
  const inner: DecodedCall[] = [];
  for (const call of calls) {
    const unwrapped = unwrap(subject, call);
    if (typeof unwrapped === 'string') return { target: unwrapped, members: null };
    inner.push(...unwrapped);
  }
  const action = inner.at(-1);
  const early = inner.slice(0, -1).find(({ name }) => !MAY_COME_BEFORE.includes(name));
  if (early !== undefined) return { target: FOUND.callForbidden(early.name), members: null };
  const { rule } = subject;
  // The function of an action is called as its struct. A signature that is kept has no call of its own.
  const isOwn = rule !== null && !rule.isKept && action?.name.toLowerCase() === rule.struct.toLowerCase();
  if (action === undefined || !isOwn) return { target: FOUND.callMissing, members: null };
  const fault = argumentFault(subject, action, signature);
  return { target: null, members: fault === null ? null : FOUND.callOther(fault) };
}

/** Paths of the nodes that the wallet's own transaction finalizes before the action's call, each once. */
export function finalizedFirst({ payload, action }: Subject): bigint[] {
  const { transaction } = payload;
  if (!isObject(transaction) || typeof transaction['data'] !== 'string') return [];
  if (!sameAddress(transaction['to'], action['escrow_address'])) return [];
  const calls = escrowCalls(transaction['data']);
  if (typeof calls === 'string') return [];
  const paths = calls.slice(0, -1).map(({ name, args }) => (name === 'finalize' ? uintOf(args['nodeId']) : null));
  return [...new Set(paths)].filter((path) => path !== null);
}

/** The escrow's calls inside one call of a wallet, or the text of what is wrong with that call. */
function unwrap(subject: Subject, call: unknown): DecodedCall[] | string {
  if (!isObject(call) || typeof call['data'] !== 'string') return FOUND.callUnreadable;
  const { to, data, value } = call;
  const { factory, usdc } = subject.context.deployment;
  if (!ETHERLESS.includes(value)) return FOUND.ether;
  if (sameAddress(to, subject.action['escrow_address'])) return escrowCalls(data);
  if (sameAddress(to, factory)) return createdTree(subject, decodeCall('factory', data));
  if (sameAddress(to, usdc)) return approved(subject, decodeCall('token', data));
  return FOUND.callElsewhere(foundText(to));
}

function escrowCalls(data: string): DecodedCall[] | string {
  const call = decodeCall('escrow', data);
  if (call === null) return FOUND.callUnreadable;
  return call.name === 'multicall' ? decodeAll(call.args['calls']) : [call];
}

function createdTree({ action, context }: Subject, call: DecodedCall | null): DecodedCall[] | string {
  if (call === null) return FOUND.callUnreadable;
  const { buyer, arbiter, treeId, call: then } = call.args;
  const { task_id: task, escrow_address: escrow } = action;
  if (typeof buyer !== 'string' || typeof arbiter !== 'string' || typeof task !== 'string') return FOUND.callUnreadable;
  if (treeId !== keccakText(task)) return FOUND.callForbidden('createTree');
  if (!sameAddress(escrowAddressOf(context.deployment, { buyer, arbiter }, task), escrow)) {
    return FOUND.callForbidden('createTree');
  }
  if (typeof then !== 'string') return FOUND.callUnreadable;
  return then === NO_CALL ? [] : escrowCalls(then);
}

/** Takes the only approval that an action may bring: for the escrow as spender, over exactly the price. */
function approved(subject: Subject, call: DecodedCall | null): DecodedCall[] | string {
  const isOurs =
    call !== null &&
    subject.rule?.takesMoney === true &&
    sameAddress(call.args['spender'], subject.action['escrow_address']) &&
    call.args['amount'] === ownMember(subject, 'terms.amount');
  return isOurs ? [] : FOUND.callForbidden(call?.name ?? 'approve');
}

function decodeAll(calls: Argument | undefined): DecodedCall[] | string {
  if (!Array.isArray(calls)) return FOUND.callUnreadable;
  const decoded = calls.map((data: Argument) => (typeof data === 'string' ? decodeCall('escrow', data) : null));
  const known = decoded.filter((call) => call !== null);
  return known.length === decoded.length ? known : FOUND.callUnreadable;
}

/** The name of the first argument that differs from the message; null: none does. */
function argumentFault(subject: Subject, { args }: DecodedCall, signature: string): string | null {
  const isPermit = subject.form === 'permit';
  for (const [name, value] of Object.entries(args)) {
    const isRight =
      name === 'workerAuth' ||
      (name === 'auth' || name === 'hirerAuth'
        ? isAuth(subject, value, isPermit ? '0x' : signature)
        : name === 'permit'
          ? sameHex(value, isPermit ? signature : '0x')
          : name === 'account' && ownMember(subject, 'account') === undefined
            ? sameAddress(value, walletOf(subject))
            : isSameMember(value, ownMember(subject, name === 'mode' ? 'fundingMode' : name)));
    if (!isRight) return name;
  }
  return null;
}

function isAuth(subject: Subject, value: Argument, signature: string): boolean {
  const { action } = subject;
  if (!isObject(value) || typeof action['action_id'] !== 'string') return false;
  return (
    sameHex(value['actionId'], keccakText(action['action_id'])) &&
    sameHex(value['requestDigest'], action['request_digest']) &&
    value['nonce'] === action['nonce'] &&
    value['validUntil'] === ownMember(subject, 'validUntil') &&
    sameHex(value['signature'], signature)
  );
}

function walletOf({ action, intent, context }: Subject): unknown {
  return action['wallet_address'] ?? intent.wallet ?? context.connectedWallet;
}

/** Compares every known member of a struct; addresses and bytes without their case. */
function isSameMember(value: Argument, known: unknown): boolean {
  if (isObject(known)) {
    const members: Readonly<Record<string, unknown>> = isObject(value) ? value : {};
    return Object.entries(known).every(([name, member]) => isSameValue(members[name], member));
  }
  return isSameValue(value, known);
}

function isSameValue(value: unknown, known: unknown): boolean {
  if (isAddressText(known)) return sameAddress(value, known);
  if (typeof value === 'string' && value.startsWith('0x')) return sameHex(value, known);
  return value !== undefined && value === known;
}

function isChain(value: JsonObject[string] | undefined, chainId: number): boolean {
  if (typeof value === 'number') return value === chainId;
  if (typeof value !== 'string') return false;
  return /^0x[0-9a-fA-F]{1,16}$/.test(value) ? Number(value) === chainId : uintOf(value) === BigInt(chainId);
}
