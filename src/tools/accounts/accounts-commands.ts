import type { Writable } from 'node:stream';
import type { DataSource } from 'typeorm';
import { MoreThan } from 'typeorm';
import { AccountEntity } from '../../modules/accounts/account.entity.js';
import { OperatorServices } from '../operator-services.js';
import type { ToolResult } from '../operator-tool.js';
import { terminalLine } from '../terminal-line.js';
import { AccountErasure } from './account-erasure.js';
import { AccountExport } from './account-export.js';
import { HOLDINGS } from './account-holdings.sql.js';
import type { AccountsCommand } from './accounts-arguments.js';

/** Runs commands with the service's own rules; running processes hear of every change at once. */
export class AccountsCommands {
  private readonly services: OperatorServices;

  constructor(
    private readonly dataSource: DataSource,
    private readonly output: Writable,
  ) {
    this.services = new OperatorServices(dataSource);
  }

  /** @throws ApiError with a sentence for the person at the terminal. */
  run(command: AccountsCommand): Promise<ToolResult> {
    switch (command.name) {
      case 'list':
        return this.list(command.after, command.limit);
      case 'show':
        return this.show(command.account);
      case 'suspend':
        return this.suspend(command.account, command.reason);
      case 'resume':
        return this.resume(command.account, command.reason);
      case 'export':
        return new AccountExport(this.dataSource, this.output).export(command.account, command.file);
      case 'erase':
        return new AccountErasure(this.dataSource).erase(command.account);
    }
  }

  private async list(after: string | null, limit: number): Promise<ToolResult> {
    const where = after === null ? {} : { id: MoreThan(after) };
    const found = await this.services.transactions.manager.find(AccountEntity, {
      where,
      order: { id: 'ASC' },
      take: limit,
    });
    const last = found.length === limit ? [`More may follow: --after ${found.at(-1)?.id ?? ''}`] : [];
    return {
      json: found.map(wire),
      lines: found.length === 0 ? ['There are no accounts.'] : [...found.map(lineOf), ...last],
    };
  }

  private async show(nameOrId: string): Promise<ToolResult> {
    const account = await this.services.lookup.known(nameOrId);
    const [counts = {}] = await this.services.transactions.manager.query<Record<string, number>[]>(HOLDINGS, [
      account.id,
      this.services.clock.wall(),
    ]);
    const lines = Object.entries(counts).map(([what, count]) => `  ${what.replaceAll('_', ' ').padEnd(16)}${count}`);
    return { json: { ...wire(account), ...counts }, lines: [lineOf(account), ...lines] };
  }

  private async suspend(nameOrId: string, reason: string): Promise<ToolResult> {
    const { id } = await this.services.lookup.known(nameOrId);
    await this.services.accounts.suspend(id, null, { by: 'operator', reason });
    return this.changed(id);
  }

  private async resume(nameOrId: string, reason: string): Promise<ToolResult> {
    const { id } = await this.services.lookup.known(nameOrId);
    await this.services.accounts.resume(id, null, { by: 'operator', reason });
    return this.changed(id);
  }

  private async changed(accountId: string): Promise<ToolResult> {
    const account = await this.services.accounts.find(accountId);
    return { json: wire(account), lines: [lineOf(account)] };
  }
}

function wire({ id, name, walletAddress, status, createdAt }: AccountEntity) {
  return { account_id: id, name, wallet_address: walletAddress, status, created_at: createdAt };
}

function lineOf({ id, name, walletAddress, status, createdAt }: AccountEntity): string {
  const columns = [id, status.padEnd(9), `since ${createdAt.toISOString()}`, walletAddress ?? 'no wallet', name];
  return terminalLine(columns);
}
