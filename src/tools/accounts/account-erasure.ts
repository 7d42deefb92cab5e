import type { DataSource, EntityManager } from 'typeorm';
import { AgentEntity } from '../../modules/agents/agent/agent.entity.js';
import { lockAccount } from '../../modules/accounts/locked-account.js';
import { announceCredentialChange } from '../../modules/accounts/credential-changes.js';
import { SettledBriefs } from '../../modules/matching/search-tables/settled-briefs/settled-briefs.js';
import { MarketStatistics } from '../../modules/matching/search-tables/market-statistics.js';
import { renderErasedTasks } from '../../modules/tasks/task-erasure.js';
import { TaskStore } from '../../modules/tasks/task-store.js';
import type { PersonalTable } from '../../platform/database/personal-data.js';
import { ApiError } from '../../platform/http/api-error.js';
import { agentEvents } from '../agent-events.js';
import { OperatorServices } from '../operator-services.js';
import type { ToolResult } from '../operator-tool.js';
import { clearOwn, countOwn, deleteOwn } from './account-erasure.sql.js';
import { LIVE_MONEY, type LiveMoneyRow } from './live-money.sql.js';
import { PERSONAL_TABLES } from './personal-tables.js';

/** Most reasons that a refusal lists. */
const TOLD_REASONS = 20;

/** What became of the rows of a table. */
interface ErasedTable {
  table: string;
  deleted: number;
  cleared: number;
  /** Rows that are left, cleared ones among them. */
  kept: number;
  /** What is left of them, and why; null when nothing is. */
  why: string | null;
}

/** Erases the personal data of an account that nobody uses any more; what belongs to the books of others stays. */
export class AccountErasure {
  private readonly services: OperatorServices;

  constructor(dataSource: DataSource) {
    this.services = new OperatorServices(dataSource);
  }

  /**
   * One transaction: all or nothing.
   * @throws ApiError `state_conflict` for an account that is not suspended (something new could come meanwhile), was
   * erased before, or is a party to money that is not at its end.
   */
  async erase(nameOrId: string): Promise<ToolResult> {
    const { id } = await this.services.lookup.known(nameOrId);
    const tables = await this.services.transactions.run((manager) => this.eraseAll(manager, id));
    return {
      json: { account_id: id, tables },
      lines: [`${id} is erased. Nothing brings it back.`, ...tables.filter(hasRows).map(lineOf)],
    };
  }

  private async eraseAll(manager: EntityManager, accountId: string): Promise<ErasedTable[]> {
    const { status } = await lockAccount(manager, accountId);
    refuseStatus(status);
    await this.refuseLiveMoney(manager, accountId);
    const wallets = await walletsOf(manager, accountId);
    const tables: ErasedTable[] = [];
    for (const table of PERSONAL_TABLES) tables.push(await eraseTable(manager, table, accountId));
    await this.followTexts(manager, accountId, wallets);
    const counts = Object.fromEntries(
      tables.filter(hasRows).map(({ table, deleted, cleared, kept }) => [table, { deleted, cleared, kept }]),
    );
    const detail = { by: 'operator', tables: counts };
    await this.services.audit.record({ event: 'account_erased', requestId: null, accountId, detail });
    await announceCredentialChange(this.services.transactions, accountId);
    return tables;
  }

  private async refuseLiveMoney(manager: EntityManager, accountId: string): Promise<void> {
    const rows = await manager.query<LiveMoneyRow[]>(LIVE_MONEY, [accountId, this.services.clock.now()]);
    if (rows.length === 0) return;
    const reasons = rows.slice(0, TOLD_REASONS).map(({ reason }) => `\n  ${reason}`);
    const more = rows.length > TOLD_REASONS ? `\n  … and ${rows.length - TOLD_REASONS} more.` : '';
    throw new ApiError(
      'state_conflict',
      `The account is a party to money that is not at its end:${reasons.join('')}${more}\nNothing was erased.`,
    );
  }

  /**
   * Renews what was derived from the erased texts: documents of tasks, and the words by which agents and briefs are
   * found.
   */
  private async followTexts(
    manager: EntityManager,
    accountId: string,
    wallets: ReadonlyMap<string, string>,
  ): Promise<void> {
    const statistics = new MarketStatistics(this.services.transactions, this.services.clock);
    const briefs = new SettledBriefs(this.services.transactions, this.services.clock, statistics);
    for (const taskId of await renderErasedTasks(manager, new TaskStore(this.services.clock), accountId)) {
      await briefs.keep(manager, taskId, false);
    }
    const events = agentEvents(this.services.transactions, this.services.clock);
    for (const [agentId, wallet] of await walletsOf(manager, accountId)) {
      const hasNewWallet = wallets.get(agentId) !== wallet;
      await events.publish(manager, { type: 'agent_changed', agentId, isFoundAnew: true, hasNewWallet });
    }
  }
}

function refuseStatus(status: string): void {
  if (status === 'erased') throw new ApiError('state_conflict', 'The account is erased already.');
  if (status === 'suspended') return;
  throw new ApiError(
    'state_conflict',
    'The account is active: something new could come while it is erased.',
    'Suspend it first (npm run accounts -- suspend).',
  );
}

/** The wallets of the account's agents by the agents' ids. */
async function walletsOf(manager: EntityManager, accountId: string): Promise<Map<string, string>> {
  const select = { id: true, walletAddress: true } as const;
  const agents = await manager.find(AgentEntity, { select, where: { accountId }, order: { id: 'ASC' } });
  return new Map(agents.map(({ id, walletAddress }) => [id, walletAddress]));
}

async function eraseTable(manager: EntityManager, own: PersonalTable, accountId: string): Promise<ErasedTable> {
  const { table, of, deleted, cleared, kept = null } = own;
  const count = async (statement: string): Promise<number> => {
    const [row] = await manager.query<{ count: number }[]>(statement, [accountId]);
    return row?.count ?? 0;
  };
  const deletedRows = deleted === undefined ? 0 : await count(deleteOwn(table, of, deleted));
  const clearedRows = cleared === undefined ? 0 : await count(clearOwn(table, of, cleared));
  const left = await count(countOwn(table, of));
  return { table, deleted: deletedRows, cleared: clearedRows, kept: left, why: left === 0 ? null : kept };
}

function hasRows({ deleted, kept }: ErasedTable): boolean {
  return deleted + kept > 0;
}

function lineOf({ table, deleted, cleared, kept, why }: ErasedTable): string {
  const done = [deleted > 0 && `${deleted} deleted`, cleared > 0 && `${cleared} cleared`, kept > 0 && `${kept} kept`];
  const reason = why === null ? '' : `: ${why}`;
  return `  ${table.padEnd(22)}${done.filter(Boolean).join(', ')}${reason}`;
}
