// The command lines of `contracts:deploy` and `contracts:verify`.
import { CommandLine } from '../../../../../dist/src/tools/command-line.js';
import { UsageError } from '../../../../../dist/src/tools/usage-error.js';
import { checksumAddress } from '../../../../../dist/libs/contracts/src/index.js';

export const USAGE = `Deploys the escrow contracts, or compares deployed ones with the sources. Never takes a private key.

  npm run contracts:deploy -- --rpc URL [--usdc ADDRESS] [--safe FILE] [--page] [--wait] [--out FILE]
  npm run contracts:verify -- --rpc URL [--usdc ADDRESS]

  contracts:deploy prints the one transaction that any account may send, unless the contracts are there already; once they
  are, it compares their code and writes a record of the deployment.
  --usdc   the token; known for the chains that Circle lists, needed on all others
  --safe   also writes the transaction as a batch for the transaction builder of a Safe
  --page   shows a page on this machine where a wallet of the browser sends it, and waits until the contracts are there
  --wait   waits until the contracts are there
  --out    file of the record (libs/contracts/deployments/CHAIN_ID.json)
  contracts:verify compiles the sources anew and compares every byte of both contracts.
  --json   one JSON document on the standard output instead of text`;

/** USDC as Circle issues it, by EIP-155 id. */
const KNOWN_USDC = {
  1: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  10: '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85',
  8453: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  42161: '0xaf88d065e77c8cC2239327C5EDb3A432268e5831',
  84532: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
  11155111: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238',
};

const OPTIONS = {
  rpc: { type: 'string' },
  usdc: { type: 'string' },
  safe: { type: 'string' },
  page: { type: 'boolean' },
  wait: { type: 'boolean' },
  out: { type: 'string' },
};
const COMMANDS = {
  deploy: { operand: null, options: ['rpc', 'usdc', 'safe', 'page', 'wait', 'out'] },
  verify: { operand: null, options: ['rpc', 'usdc'] },
};

/**
 * Throws UsageError on anything unknown, missing or out of range.
 * @param {string[]} args `deploy` or `verify`, and its options
 */
export function readArguments(args) {
  const line = CommandLine.read(args, OPTIONS, COMMANDS);
  if (line.name === null) return { name: 'help' };
  const rpc = line.required('rpc');
  if (!/^https?:\/\/\S+$/.test(rpc)) throw new UsageError('--rpc is an http:// or https:// URL.');
  const { name, json } = line;
  const usdc = line.text('usdc');
  const token = usdc === null ? null : addressIn(usdc);
  const page = line.flag('page');
  const wait = page || line.flag('wait');
  return { name, rpc, usdc: token, safe: line.text('safe'), page, wait, out: line.text('out'), json };
}

/** The token to deploy for. Throws UsageError when none is given for a chain that is not known. */
export function tokenFor(chainId, given) {
  const token = given ?? KNOWN_USDC[chainId];
  if (token === undefined) throw new UsageError(`USDC of chain ${chainId} is not known here: name it with --usdc.`);
  return token;
}

function addressIn(text) {
  try {
    return checksumAddress(text);
  } catch {
    throw new UsageError('--usdc is an address; in mixed case its checksum must hold.');
  }
}
