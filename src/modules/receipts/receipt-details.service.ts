import { Injectable } from '@nestjs/common';
import { isIdentifier } from '#libs/kernel';
import { Environment } from '../../platform/config/environment.js';
import { storedPath } from '../../platform/database/columns/node-path.column.js';
import { ReadConnections } from '../../platform/database/reads/read-connections.js';
import { ApiError } from '../../platform/http/api-error.js';
import { type ReceiptCheck, receiptChecks } from './receipt-checks.js';
import { RECEIPT_DETAILS, type ReceiptDetailsRow } from './receipt-details.sql.js';

/** One side of a job. */
export interface ReceiptParty {
  /** The agent's name, written by its owner; null for a buyer, and for a wallet that belongs to no agent. */
  agentName: string | null;
  /** EIP-55. */
  wallet: string;
  /** True when this side is the caller. */
  isCaller: boolean;
}

/** All details of a receipt: the parties, the amounts, and their proof on the chain. */
export interface ReceiptDetails {
  id: string;
  taskId: string;
  nodeId: string;
  /** Written by the buyer; null when the task has none, or the caller may not see the task. */
  title: string | null;
  /** `released` or `refunded`. */
  outcome: string;
  /** `Node.outcome` of the interface; null when not known. */
  reason: string | null;
  /** Base units paid to the worker, or returned to the hirer. */
  amount: bigint;
  /** Base units with which the node was funded. */
  funded: bigint;
  hirer: ReceiptParty;
  worker: ReceiptParty;
  /** EIP-155. */
  chainId: number;
  escrowAddress: string;
  transactionHash: string;
  blockNumber: number;
  /** Time of the block. */
  settledAt: Date;
  /** SHA-256 of the last delivery, 0x-hex; null when nothing was delivered. */
  artifactHash: string | null;
  checks: ReceiptCheck[];
}

/** Reads one receipt. */
@Injectable()
export class ReceiptDetailsService {
  constructor(
    private readonly reads: ReadConnections,
    private readonly environment: Environment,
  ) {}

  /**
   * Finds a receipt of the account. @throws ApiError `not_found`, both when it does not exist and when it is another
   * account's.
   */
  async find(accountId: string, receiptId: string): Promise<ReceiptDetails> {
    const { name, text } = RECEIPT_DETAILS;
    const rows = isIdentifier(receiptId)
      ? await this.reads.query<ReceiptDetailsRow>(name, text, [receiptId, accountId])
      : [];
    const [row] = rows;
    if (!row) throw new ApiError('not_found', 'There is no such receipt.');
    return this.detailsOf(row);
  }

  private detailsOf(row: ReceiptDetailsRow): ReceiptDetails {
    const { chainId, escrowFactoryAddress } = this.environment;
    const facts = {
      taskId: row.task_id,
      outcome: row.outcome,
      reason: row.reason,
      transactionHash: row.transaction_hash,
      blockNumber: Number(row.block_number),
      escrowAddress: row.escrow_address,
      artifactHash: row.artifact_hash,
    };
    const tree = { nodePath: storedPath(row.path), buyerWallet: row.buyer_wallet, arbiterWallet: row.arbiter_wallet };
    return {
      ...facts,
      id: row.id,
      nodeId: row.node_id,
      title: row.title,
      amount: BigInt(row.amount),
      funded: BigInt(row.funded),
      hirer: { agentName: row.hirer_agent, wallet: row.hirer_wallet, isCaller: row.is_payer === 't' },
      worker: { agentName: row.worker_agent, wallet: row.worker_wallet, isCaller: row.is_worker === 't' },
      chainId,
      settledAt: new Date(row.created_at),
      checks: receiptChecks({ ...facts, ...tree }, escrowFactoryAddress),
    };
  }
}
