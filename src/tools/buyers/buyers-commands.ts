import type { DataSource } from 'typeorm';
import { VerifiedBuyers } from '../../modules/reputation/runs/verified-buyers.js';
import type { VerifiedBuyer } from '../../modules/reputation/runs/verified-buyers.sql.js';
import { AccountLookup } from '../account-lookup.js';
import type { BuyersCommand } from './buyers-arguments.js';
import { OperatorServices } from '../operator-services.js';
import type { ToolResult } from '../operator-tool.js';
import { terminalLine } from '../terminal-line.js';

/** Said after every change. */
const WHEN = 'It counts from the next trust run on, within seconds where a service is running.';

/** Runs commands with the service's own rules. */
export class BuyersCommands {
  private readonly buyers: VerifiedBuyers;
  private readonly lookup: AccountLookup;

  constructor(dataSource: DataSource) {
    const { transactions, audit, clock, lookup } = new OperatorServices(dataSource);
    this.buyers = new VerifiedBuyers(transactions, audit, clock);
    this.lookup = lookup;
  }

  /** @throws ApiError with a sentence for the person at the terminal. */
  run(command: BuyersCommand): Promise<ToolResult> {
    switch (command.name) {
      case 'verify':
        return this.verify(command.account, command.note);
      case 'unverify':
        return this.unverify(command.account);
      case 'list':
        return this.list();
    }
  }

  private async verify(nameOrId: string, note: string): Promise<ToolResult> {
    const { id } = await this.lookup.known(nameOrId);
    await this.buyers.verify(id, note);
    return { json: { account_id: id, verified: true }, lines: [`${id} is a verified buyer. ${WHEN}`] };
  }

  private async unverify(nameOrId: string): Promise<ToolResult> {
    const { id } = await this.lookup.known(nameOrId);
    await this.buyers.unverify(id);
    return { json: { account_id: id, verified: false }, lines: [`${id} is no verified buyer any more. ${WHEN}`] };
  }

  private async list(): Promise<ToolResult> {
    const buyers = await this.buyers.list();
    return {
      json: buyers.map(({ accountId, accountName, verifiedAt, note, independence }) => ({
        account_id: accountId,
        name: accountName,
        verified_at: verifiedAt,
        note,
        independence,
      })),
      lines: buyers.length === 0 ? ['There are no verified buyers.'] : buyers.map(lineOf),
    };
  }
}

function lineOf({ accountId, accountName, verifiedAt, note, independence }: VerifiedBuyer): string {
  const seen = independence === null ? 'not in a run yet' : `independence ${independence.toFixed(2)}`;
  const columns = [accountId, `since ${verifiedAt.toISOString()}`, seen, accountName, note];
  return terminalLine(columns);
}
