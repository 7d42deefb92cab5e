import type { FeedbackRow } from './feedback.sql.js';
import { registryName } from '../link/identity-typed-data.js';

/** `value` is a percentage with two decimals. */
const VALUE_DECIMALS = 2;
const WHOLE = 10_000n;

/** The identity that feedback is about. */
export interface FeedbackSubject {
  readonly chainId: number;
  /** EIP-55. */
  readonly registry: string;
  readonly tokenId: bigint;
}

/**
 * The file of feedback by ERC-8004 for one ended node. Nobody writes reviews here, so the value is what was decided with
 * money: the share of the node's amount that was released to the worker.
 * @returns null until the end is final, because a feedback without its transaction proves nothing.
 */
export function feedbackFile(row: FeedbackRow, { chainId, registry, tokenId }: FeedbackSubject): object | null {
  const { transaction_hash: txHash, block_number: block, escrow_address: escrow } = row;
  if (txHash === null || block === null || escrow === null) return null;
  return {
    agentRegistry: registryName(chainId, registry),
    agentId: agentIdOf(tokenId),
    clientAddress: registryName(chainId, row.payer_wallet),
    createdAt: row.settled_at,
    value: percentOf(BigInt(row.released), BigInt(row.amount)),
    valueDecimals: VALUE_DECIMALS,
    tag1: row.outcome,
    tag2: 'escrow',
    proofOfPayment: { fromAddress: escrow, toAddress: row.worker_wallet, chainId: String(chainId), txHash },
    escrow: { address: escrow, node: row.node_id, block: Number(block), amount: row.amount, released: row.released },
  };
}

/** `agentId` of ERC-8004, which is a number there; as decimal digits where JSON would round it. */
export function agentIdOf(tokenId: bigint): number | string {
  return tokenId <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(tokenId) : tokenId.toString();
}

function percentOf(released: bigint, amount: bigint): number {
  return amount === 0n ? 0 : Number((released * WHOLE) / amount);
}
