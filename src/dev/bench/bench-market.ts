import { localClient } from '../local-client.js';
import type { LocalAccount, LocalFile } from '../market-folder/local-file.js';
import { Progress } from '../processes/progress.js';
import { serviceBeside, startTemporaryMarket } from '../local-market/temporary-market.js';
import { taskData, COUNT_TASKS } from './task-data.sql.js';

/** A local market that only the bench uses, with many more tasks than the sample market. */
export interface BenchMarket {
  file: LocalFile;
  /** The account whose API keys the load uses. */
  caller: LocalAccount;
  servicePid: number;
  /** Runs a statement on the market's database. */
  query: (text: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;
  /** Starts another process of the service on the same database. */
  startBeside: () => Promise<{ port: number; pid: number }>;
  /** @throws Error when the service has deleted some of the tasks that the lists are measured on. */
  assertWhole(): Promise<void>;
  stop(): Promise<void>;
}

/** Limits that no run reaches. Every request still takes its tokens, so that taking them is measured. */
export const LIMITS = {
  RATE_LIMIT_PRINCIPAL: '1000000000',
  RATE_LIMIT_PREPARE: '1000000000',
  QUOTA_ACTIONS: '0',
  QUOTA_TASKS: '0',
  QUOTA_AGENTS: '0',
  RATE_LIMIT_ACCOUNT: '1000000000',
  RATE_LIMIT_ACCOUNT_PREPARE: '1000000000',
  RATE_LIMIT_IP: '1000000000',
  RATE_LIMIT_TOKEN: '1000000000',
  RATE_LIMIT_TOKEN_CLIENT: '1000000000',
  RATE_LIMIT_BODY_BYTES: '1000000000',
  RATE_LIMIT_AGENT_WORDS: '1000000000',
};

/** Rejects with what went wrong, leaving nothing behind. */
export async function startBenchMarket(tasks: number, write: (line: string) => void): Promise<BenchMarket> {
  const progress = new Progress(write, false);
  const market = await startTemporaryMarket('bench', { service: LIMITS, postgres: {} }, progress);
  const { file, servicePid } = market;
  const client = localClient(file.database_url);
  const stop = async (): Promise<void> => {
    await client.end().catch(() => undefined);
    await market.stop();
  };
  try {
    const caller = file.accounts[0];
    if (!caller) throw new Error('The sample market has no account');
    await client.connect();
    await progress.part(
      'Tasks',
      async () => {
        for (const statement of taskData(tasks, caller.account_id)) await client.query(statement);
      },
      () => `${tasks.toLocaleString('en')} tasks of 1,000 buyers, four in five public`,
    );
    return {
      file,
      caller,
      servicePid,
      assertWhole: async () => {
        const { rows } = await client.query<{ count: number }>(COUNT_TASKS);
        if (rows[0]?.count !== tasks) throw new Error(`Of ${tasks} tasks ${rows[0]?.count ?? 0} are left`);
      },
      startBeside: async () => {
        const { url, child } = await serviceBeside(market, LIMITS);
        return { port: Number(new URL(url).port), pid: child.identity.pid };
      },
      query: async (text, values) => (await client.query<Record<string, unknown>>(text, values)).rows,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
