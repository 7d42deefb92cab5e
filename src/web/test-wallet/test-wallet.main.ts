/*
 * The wallet of the local market: announces itself as wallets do (EIP-6963), asks the person in a dialog of its own, and
 * leaves keys and chain to the process that runs the market. Served where there is a test wallet, which is on the chain
 * 31337 of a local market alone; no other script refers to it.
 */
import { hexToBytes, isHex } from '#libs/notation';
import { choose, confirm, type Lines } from './dialogs.js';

interface Person {
  name: string;
  address: string;
}

interface Asked {
  method: string;
  params?: readonly unknown[];
}

const NAME = 'Demo Wallet';
const USER_REJECTED = 4001;
const ICON =
  'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"%3E%3Crect x="2" y="5" width="20" height="15" rx="3" fill="%2317563f"/%3E%3Ccircle cx="17" cy="13" r="2" fill="white"/%3E%3C/svg%3E';
/** The script lies two folders below the service. */
const HERE = import.meta.url;
const BACKEND = new URL('../../test-wallet', HERE);

class ProviderError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/** The account that the person uses in this window; null until the wallet is connected. */
let account: string | null = null;

async function request({ method, params = [] }: Asked): Promise<unknown> {
  switch (method) {
    case 'eth_requestAccounts':
      account ??= await connect();
      return [account];
    case 'eth_accounts':
      return account === null ? [] : [account];
    case 'personal_sign':
      await confirmed('Sign this message?', 'Sign', [['Message', messageText(params[0])]]);
      break;
    case 'eth_signTypedData_v4':
      await confirmed('Sign this?', 'Sign', typedDataLines(params[1]));
      break;
    case 'eth_sendTransaction':
      await confirmed('Send this transaction?', 'Send', callLines(params[0]));
      break;
  }
  return ask(method, params);
}

/** The account that the page waits for when it is one of ours, else the one that the person chooses. */
async function connect(): Promise<string> {
  const people = peopleOf(await ask('test_people', []));
  const wanted = document.querySelector<HTMLElement>('[data-wallet]')?.dataset['wallet']?.toLowerCase();
  const expected = people.find(({ address }) => address.toLowerCase() === wanted);
  if (expected) return expected.address;
  const options = people.map(({ name, address }) => ({ text: name, value: address }));
  const chosen = await choose(NAME, 'Whose wallet is this?', options);
  if (chosen === null) throw rejected();
  return chosen;
}

async function confirmed(question: string, yes: string, lines: Lines): Promise<void> {
  const all: Lines = [['With the wallet', account ?? ''], ...lines];
  if (!(await confirm({ name: NAME, question, yes, lines: all }))) throw rejected();
}

async function ask(method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(BACKEND, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ method, params }),
  });
  const answer: unknown = await response.json();
  const error = memberOf(answer, 'error');
  if (error === undefined) return memberOf(answer, 'result');
  const code = memberOf(error, 'code');
  throw new ProviderError(typeof code === 'number' ? code : -32_603, textOf(memberOf(error, 'message')));
}

/** The message as wallets show it: as text where its bytes are UTF-8. */
function messageText(message: unknown): string {
  const text = textOf(message);
  if (!isHex(text)) return text;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(hexToBytes(text));
  } catch {
    return text;
  }
}

function typedDataLines(parameter: unknown): Lines {
  const data: unknown = typeof parameter === 'string' ? JSON.parse(parameter) : parameter;
  const message = memberOf(data, 'message');
  const members = typeof message === 'object' && message !== null ? Object.entries(message) : [];
  return [
    ['What', textOf(memberOf(data, 'primaryType'))],
    ['Contract', textOf(memberOf(memberOf(data, 'domain'), 'verifyingContract'))],
    ...members.map(([name, value]): [string, string] => [name, textOf(value)]),
  ];
}

function callLines(call: unknown): Lines {
  const data = textOf(memberOf(call, 'data'));
  return [
    ['To', textOf(memberOf(call, 'to'))],
    ['Call', `${data.slice(0, 10)}, ${Math.max(data.length / 2 - 1, 0)} bytes`],
  ];
}

function peopleOf(value: unknown): Person[] {
  const list: unknown[] = Array.isArray(value) ? value : [];
  return list.map((one) => ({ name: textOf(memberOf(one, 'name')), address: textOf(memberOf(one, 'address')) }));
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function rejected(): ProviderError {
  return new ProviderError(USER_REJECTED, 'The person declined.');
}

const nothing = (): void => undefined;
const provider = Object.freeze({ request, on: nothing, removeListener: nothing });
const info = Object.freeze({
  uuid: crypto.randomUUID(),
  name: NAME,
  icon: ICON,
  rdns: 'localhost.tasktree.test-wallet',
});

function announce(): void {
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }));
}

addEventListener('eip6963:requestProvider', announce);
announce();
