import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainUnavailableError } from '../../../platform/chain/rpc/chain-unavailable.error.js';
import type { TokenTransfer } from '#libs/contracts';
import { UsdcToken } from '../../../platform/chain/usdc-token.js';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { FINAL_DEPTH } from './link-limits.js';
import {
  ADD_TRANSFERS,
  ENROL_WALLETS,
  FIRST_WALLETS,
  FORGET_SERVICES,
  LAST_WALLETS,
  MARK_SERVICES,
  MOVE_WALLETS,
} from './payout-scan.sql.js';

/** Most blocks per request to the endpoint. */
const MAX_RANGE = 10_000;
/** Most requests per run; the next run reads the rest. */
const MAX_QUESTIONS = 200;

interface Group {
  addresses: string[];
  scannedTo: number;
}

/**
 * Reads the final USDC transfers from wallets that received earnings. Each wallet is read once, from the market's first
 * block on. The progress is stored with the transfers in one transaction.
 */
@Injectable()
export class PayoutScan {
  private range = MAX_RANGE;

  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly chain: ChainClient,
    private readonly token: UsdcToken,
  ) {}

  /**
   * Reads new final transfers, in turn of the wallets that are nearest to the end and of those that are furthest behind: a new
   * wallet begins at the market's first block, and with enough of them only one way would never be done with the others.
   * @throws ChainUnavailableError; everything read before stays stored.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const depth = Math.max(FINAL_DEPTH, this.environment.chainConfirmations);
    const target = (await this.chain.blockNumber()) - depth;
    await this.enrol();
    for (let asked = 0; asked < MAX_QUESTIONS && !signal.aborted; asked += 1) {
      const group = await this.nextGroup(asked % 2 === 0 ? FIRST_WALLETS : LAST_WALLETS, target);
      if (group === null) return;
      const to = Math.min(target, group.scannedTo + this.range);
      const transfers = await this.read(group, to);
      if (transfers !== null) await this.keep(group, to, transfers);
    }
  }

  private async enrol(): Promise<void> {
    await this.transactions.manager.query(ENROL_WALLETS, [this.environment.chainStartBlock - 1]);
  }

  /** Wallets that are scanned to the same block; null when none is behind `target`. */
  private async nextGroup(statement: string, target: number): Promise<Group | null> {
    const rows = await this.transactions.manager.query<{ address: string; scanned_to: number }[]>(statement, [target]);
    const [first] = rows;
    return first ? { addresses: rows.map(({ address }) => address), scannedTo: first.scanned_to } : null;
  }

  /** Reads transfers; null when the endpoint refuses the range, which is then halved for the next try. */
  private async read({ addresses, scannedTo }: Group, to: number): Promise<TokenTransfer[] | null> {
    try {
      const transfers = await this.token.transfersFrom(addresses, { fromBlock: scannedTo + 1, toBlock: to });
      this.range = Math.min(MAX_RANGE, this.range * 2);
      return transfers;
    } catch (error) {
      if (!(error instanceof ChainUnavailableError) || this.range === 1) throw error;
      // Throws when the endpoint cannot be reached at all.
      await this.chain.blockNumber();
      this.range = Math.max(1, Math.floor(this.range / 2));
      return null;
    }
  }

  private keep({ addresses, scannedTo }: Group, to: number, transfers: readonly TokenTransfer[]): Promise<void> {
    return this.transactions.run(async (manager) => {
      const [, moved]: [unknown, number] = await manager.query(MOVE_WALLETS, [to, addresses, scannedTo]);
      if (moved !== addresses.length) throw new Error('Another process reads the payout wallets too');
      if (transfers.length > 0) await add(manager, transfers);
    });
  }
}

/**
 * Adds transfers to the stored sums. Transfers to an escrow are left out, because that money is spent and not passed
 * on.
 */
async function add(manager: EntityManager, transfers: readonly TokenTransfer[]): Promise<void> {
  await manager.query(ADD_TRANSFERS, [
    transfers.map(({ from }) => from),
    transfers.map(({ to }) => to),
    transfers.map(({ amount }) => String(amount)),
  ]);
  const senders = [...new Set(transfers.map(({ from }) => from))];
  await manager.query(MARK_SERVICES, [senders]);
  await manager.query(FORGET_SERVICES, [senders]);
}
