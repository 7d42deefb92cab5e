import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { ChainClient } from '../../../platform/chain/chain-client.js';
import { ChainUnavailableError } from '../../../platform/chain/rpc/chain-unavailable.error.js';
import type { TokenTransfer } from '#libs/contracts';
import { UsdcToken } from '../../../platform/chain/usdc-token.js';
import { Environment } from '../../../platform/config/environment.js';
import { Transactions } from '../../../platform/database/transactions.js';
import { FINAL_DEPTH, MAX_RECEIVERS } from './link-limits.js';

/** Wallets that one question to the endpoint is about, and blocks that it spans at most. */
const WALLETS_AT_ONCE = 200;
const MAX_RANGE = 10_000;
/** Questions of one run: what is left, the next one reads. */
const MAX_QUESTIONS = 200;

interface Group {
  addresses: string[];
  scannedTo: number;
}

/**
 * Reads what wallets that earnings were paid out to have sent on in USDC, as far as it is final. Each wallet is read once
 * from the first block of the market on; how far is remembered with what was found, in one transaction.
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

  /** @throws ChainUnavailableError; everything read until then is kept. */
  async follow(signal: AbortSignal): Promise<void> {
    const depth = Math.max(FINAL_DEPTH, this.environment.chainConfirmations);
    const target = (await this.chain.blockNumber()) - depth;
    await this.enrol();
    for (let asked = 0; asked < MAX_QUESTIONS && !signal.aborted; asked += 1) {
      const group = await this.nextGroup(target);
      if (group === null) return;
      const to = Math.min(target, group.scannedTo + this.range);
      const transfers = await this.read(group, to);
      if (transfers !== null) await this.keep(group, to, transfers);
    }
  }

  private async enrol(): Promise<void> {
    await this.transactions.manager.query(
      `INSERT INTO payout_wallets (address, scanned_to) SELECT DISTINCT recipient, $1::integer FROM payouts
       ON CONFLICT DO NOTHING`,
      [this.environment.chainStartBlock - 1],
    );
  }

  /** Those that are furthest behind, all at one block. */
  private async nextGroup(target: number): Promise<Group | null> {
    const rows = await this.transactions.manager.query<{ address: string; scanned_to: number }[]>(
      `SELECT address, scanned_to FROM payout_wallets
       WHERE NOT is_service AND scanned_to = (SELECT min(scanned_to) FROM payout_wallets WHERE NOT is_service)
         AND scanned_to < $1
       ORDER BY address LIMIT ${WALLETS_AT_ONCE}`,
      [target],
    );
    const [first] = rows;
    return first ? { addresses: rows.map(({ address }) => address), scannedTo: first.scanned_to } : null;
  }

  /** Null when the endpoint refuses so large a range: then a smaller one is tried. */
  private async read({ addresses, scannedTo }: Group, to: number): Promise<TokenTransfer[] | null> {
    try {
      const transfers = await this.token.transfersFrom(addresses, { fromBlock: scannedTo + 1, toBlock: to });
      this.range = Math.min(MAX_RANGE, this.range * 2);
      return transfers;
    } catch (error) {
      if (!(error instanceof ChainUnavailableError) || this.range === 1) throw error;
      // When it is the endpoint that is away, this says so.
      await this.chain.blockNumber();
      this.range = Math.max(1, Math.floor(this.range / 2));
      return null;
    }
  }

  private keep({ addresses, scannedTo }: Group, to: number, transfers: readonly TokenTransfer[]): Promise<void> {
    return this.transactions.run(async (manager) => {
      const [, moved]: [unknown, number] = await manager.query(
        'UPDATE payout_wallets SET scanned_to = $1 WHERE address = ANY($2) AND scanned_to = $3',
        [to, addresses, scannedTo],
      );
      if (moved !== addresses.length) throw new Error('Another process reads the payout wallets too');
      if (transfers.length > 0) await add(manager, transfers);
    });
  }
}

/** Escrows are where buyers pay into: money sent there is spent, not handed on. */
async function add(manager: EntityManager, transfers: readonly TokenTransfer[]): Promise<void> {
  await manager.query(
    `INSERT INTO payout_transfers AS known (from_address, to_address, amount)
     SELECT sender, receiver, sum(amount) FROM unnest($1::text[], $2::text[], $3::numeric[]) AS sent (sender, receiver, amount)
     WHERE sender <> receiver AND NOT EXISTS (SELECT FROM tasks WHERE escrow_address = receiver)
     GROUP BY sender, receiver
     ON CONFLICT (from_address, to_address) DO UPDATE SET amount = known.amount + excluded.amount`,
    [transfers.map(({ from }) => from), transfers.map(({ to }) => to), transfers.map(({ amount }) => String(amount))],
  );
  const senders = [...new Set(transfers.map(({ from }) => from))];
  await manager.query(
    `UPDATE payout_wallets SET is_service = true WHERE address = ANY($1)
     AND (SELECT count(*) FROM payout_transfers WHERE from_address = address) > ${MAX_RECEIVERS}`,
    [senders],
  );
  await manager.query(
    `DELETE FROM payout_transfers USING payout_wallets
     WHERE is_service AND address = from_address AND address = ANY($1)`,
    [senders],
  );
}
