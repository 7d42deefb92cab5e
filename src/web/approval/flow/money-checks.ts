import type { SimulationAnswer } from '#libs/approval-wire';
import { memberOf, textAt } from '../../wallets/json.js';
import type { Account, ApprovalState, WalletFindings } from './state.js';

/** Messages of the token itself: the wallet that signs one pays its `value`. */
const PAYMENTS: readonly string[] = ['ReceiveWithAuthorization', 'Permit'];
const UNITS = /^[0-9]{1,40}$/;

/**
 * What a payment needs and the wallet has, base units, when it has too little; null when it has enough, or when that is
 * not known.
 */
export function missingUsdc({ document, findings }: ApprovalState): { has: bigint; needs: bigint } | null {
  const payload = document?.action.payload;
  const value = textAt(memberOf(payload, 'message'), 'value') ?? '';
  const has = findings?.reading?.usdcBalance;
  if (has === undefined || !PAYMENTS.includes(textAt(payload, 'primaryType') ?? '') || !UNITS.test(value)) return null;
  const needs = BigInt(value);
  return has < needs ? { has, needs } : null;
}

/**
 * True when the wallet's node and the service disagree about the wallet's money in the same block: one of them does not
 * tell the truth, or not about this network.
 */
export function sourcesDiffer({ reading }: WalletFindings, { balances, block }: SimulationAnswer): boolean {
  const ours = balances.find(({ label }) => label === 'wallet')?.before;
  if (ours === undefined || reading?.usdcBalance === undefined) return false;
  return block !== null && reading.blockNumber === block && reading.usdcBalance !== BigInt(ours);
}

/** URL of the service that pays the network's fee, once a wallet is connected that takes it; null: the wallet pays. */
export function paymasterOf({ connection, facts }: ApprovalState): string | null {
  return (connection.at === 'connected' && connection.account.takesPaymaster && facts.paths.paymaster) || null;
}

/** True when the wallet would send the call itself and cannot pay the network's fee. Contracts have others pay it. */
export function lacksGas({ isContract }: Account, { gasBalance }: WalletFindings, { gas }: SimulationAnswer): boolean {
  return !isContract && gas !== null && gasBalance !== null && gasBalance < BigInt(gas.eth);
}
