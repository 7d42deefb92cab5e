import { Injectable, Logger } from '@nestjs/common';
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
/** Most wallets per request. */
const MAX_WALLETS = 200;
/** Most requests per run; the next run reads the rest. */
const MAX_QUESTIONS = 200;
/** Wallets that may be refused before anything was read: it is then the endpoint that gives no transfers. */
const MOST_REFUSED = 8;

interface Group {
  addresses: string[];
  scannedTo: number;
}

/**
 * Reads the final USDC transfers from wallets that received earnings. Each wallet is read once, from the market's first
 * block on. The progress is stored with the transfers in one transaction.
 *
 * Endpoints refuse requests with too many blocks, wallets or transfers, each by its own bounds, so fewer are asked for until
 * it answers, and more again from then on. A wallet of which not even one block is given, as it has too many transfers in it,
 * is left out and holds up no other; each run tries one such wallet again.
 */
@Injectable()
export class PayoutScan {
  private readonly logger = new Logger('Trust');
  private range = MAX_RANGE;
  private atOnce = MAX_WALLETS;
  /** The wallets that are left out, those first that were tried longest ago. */
  private readonly leftOut = new Set<string>();

  constructor(
    private readonly environment: Environment,
    private readonly transactions: Transactions,
    private readonly chain: ChainClient,
    private readonly token: UsdcToken,
  ) {}

  /**
   * Reads new final transfers, in turn of the wallets that are nearest to the end and of those that are furthest behind: a new
   * wallet begins at the market's first block, and with enough of them only one way would never be done with the others.
   * @throws ChainUnavailableError, also when the endpoint gives no transfers of anybody; everything read before stays stored.
   */
  async follow(signal: AbortSignal): Promise<void> {
    const depth = Math.max(FINAL_DEPTH, this.environment.chainConfirmations);
    const target = (await this.chain.blockNumber()) - depth;
    await this.enrol();
    const [again] = this.leftOut;
    if (again !== undefined) this.leftOut.delete(again);
    const refused = new Map<string, ChainUnavailableError>();
    let hasRead = false;
    for (let asked = 0; asked < MAX_QUESTIONS && !signal.aborted; asked += 1) {
      const group = await this.nextGroup(asked % 2 === 0 ? FIRST_WALLETS : LAST_WALLETS, target, [...refused.keys()]);
      if (group === null) break;
      const to = Math.min(target, group.scannedTo + this.range);
      const transfers = await this.read(group, to, refused);
      if (transfers !== null) await this.keep(group, to, transfers);
      hasRead ||= transfers !== null;
      if (!hasRead && refused.size === MOST_REFUSED) break;
    }
    this.leaveOut(refused, hasRead);
  }

  /** @throws the last refusal when nothing was read, since it says nothing of the wallets then. */
  private leaveOut(refused: ReadonlyMap<string, ChainUnavailableError>, hasRead: boolean): void {
    const last = [...refused.values()].at(-1);
    if (last === undefined) return;
    if (!hasRead) throw last;
    for (const address of refused.keys()) this.leftOut.add(address);
    const wallets = [...refused.keys()].join(', ');
    this.logger.warn(`The endpoint gives no transfers of ${wallets}, which trust goes on without: ${last.detail}`);
  }

  private async enrol(): Promise<void> {
    await this.transactions.manager.query(ENROL_WALLETS, [this.environment.chainStartBlock - 1]);
  }

  /** Wallets that are scanned to the same block; null when none is behind `target`. */
  private async nextGroup(statement: string, target: number, refused: readonly string[]): Promise<Group | null> {
    const values = [target, [...this.leftOut, ...refused], this.atOnce];
    const rows = await this.transactions.manager.query<{ address: string; scanned_to: number }[]>(statement, values);
    const [first] = rows;
    return first ? { addresses: rows.map(({ address }) => address), scannedTo: first.scanned_to } : null;
  }

  /**
   * Reads transfers; null when the endpoint refuses them. Half as many blocks and wallets are then asked for next; a wallet
   * for which there is no less to ask is added to `refused`.
   */
  private async read(
    { addresses, scannedTo }: Group,
    to: number,
    refused: Map<string, ChainUnavailableError>,
  ): Promise<TokenTransfer[] | null> {
    try {
      const transfers = await this.token.transfersFrom(addresses, { fromBlock: scannedTo + 1, toBlock: to });
      if (this.range === MAX_RANGE) this.atOnce = Math.min(MAX_WALLETS, this.atOnce * 2);
      this.range = Math.min(MAX_RANGE, this.range * 2);
      return transfers;
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      // Throws when the endpoint cannot be reached at all.
      await this.chain.blockNumber();
      const [first] = addresses;
      if (first !== undefined && addresses.length === 1 && to === scannedTo + 1) refused.set(first, error);
      // Of what was asked for, which may be less than the bounds.
      this.range = half(to - scannedTo);
      this.atOnce = half(addresses.length);
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

function half(count: number): number {
  return Math.max(1, Math.floor(count / 2));
}
