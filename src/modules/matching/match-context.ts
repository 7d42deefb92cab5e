import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../platform/database/read-connections.js';
import type { PreparedStatement } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { textsOf } from '../agents/json-texts.js';
import { clusterOf } from '../reputation/evidence/evidence.sql.js';
import type { TaskEntity } from '../tasks/task.entity.js';
import { TaskAccess, type ReadWithTask } from '../tasks/task-access.js';
import { refusedAgents } from './agent-facts.sql.js';
import { integersIn } from './array-texts.js';
import { TASK_WORDS, type TaskWordRow, type TaskWords, taskWordsOf, taskWordsValues } from './briefs/task-words.js';
import type { CandidateQuery } from './candidates/candidate-source.js';
import { type KeptSnapshot, NEWEST_SNAPSHOT } from './match-snapshots.sql.js';

/** What a task's agents are found by. */
export type MatchedTask = Pick<TaskEntity, 'id' | 'title' | 'brief' | 'criteria' | 'buyerAccountId' | 'buyerWallet'>;

/** A task as the market sees it at one moment. */
export interface MatchContext {
  words: TaskWords;
  query: CandidateQuery;
}

/**
 * Of the row `task`: who is behind its buyer, which agents have refused it, which were shown for it, and whether the records
 * that count now were made with verified buyers; and what is not looked for: the agents that its buyer may not hire (its
 * own, those of its cluster or wallet, and those that refused the task), and the brief of the task itself, once it is settled.
 */
const BUYER_COLUMNS = `own.cluster AS buyer_cluster,
  (SELECT json_agg(account_id) FROM account_clusters WHERE cluster_id = own.cluster)::text AS buyer_accounts,
  (SELECT json_agg(refused.id) FROM (${refusedAgents('task.id')}) AS refused (id))::text AS refused_agents,
  (SELECT json_agg(agent_id) FROM match_impressions WHERE task_id = task.id)::text AS shown_agents,
  coalesce((SELECT anchors > 0 FROM trust_runs WHERE status = 'finished' ORDER BY id DESC LIMIT 1), false) AS anchored,
  (SELECT array_agg(number) FROM (
    SELECT number FROM agents WHERE account_id = task.buyer_account_id
    UNION SELECT number FROM agents WHERE account_id = ANY (ARRAY(
      SELECT account_id FROM account_clusters WHERE cluster_id = own.cluster))
    UNION SELECT number FROM agents WHERE wallet_address = task.buyer_wallet
    UNION SELECT number FROM agents WHERE id = ANY (ARRAY(${refusedAgents('task.id')}))
  ) AS excluded)::text AS excluded_agents,
  (SELECT number FROM match_briefs WHERE task_id = task.id) AS own_brief`;

/** Who is behind the buyer, one row for each row `task`. */
const BUYER_JOIN = `CROSS JOIN LATERAL (SELECT ${clusterOf('task.buyer_account_id')} AS cluster) AS own`;

/** The columns of the task $1, whoever may see it. */
const BUYER: PreparedStatement = {
  name: 'match_buyer',
  text: `SELECT ${BUYER_COLUMNS} FROM tasks task ${BUYER_JOIN} WHERE task.id = $1`,
};

/** The same columns beside a task, and the newest ranking of it that is kept for the caller. */
const WITH_TASK: ReadWithTask = {
  name: 'matched',
  columns: `${BUYER_COLUMNS}, ${NEWEST_SNAPSHOT} AS newest_snapshot`,
  join: BUYER_JOIN,
};

/** The columns of `BUYER_COLUMNS`; arrays as text, which is read faster here than by the driver. */
interface BuyerRow {
  buyer_cluster: string;
  /** JSON array of texts, or null. */
  buyer_accounts: string | null;
  refused_agents: string | null;
  shown_agents: string | null;
  anchored: boolean;
  /** Array of Postgres, or null. */
  excluded_agents: string | null;
  own_brief: number | null;
}

/** A task that the caller sees, with what its agents are looked for by. */
export interface VisibleMatchedTask {
  task: TaskEntity;
  buyer: BuyerRow;
  /** The newest ranking of the task that is kept for the caller. */
  newest: KeptSnapshot | null;
}

/** Reads what the candidates for a task are looked for by. */
@Injectable()
export class MatchContexts {
  constructor(
    private readonly tasks: TaskAccess,
    private readonly reads: SearchConnections,
    private readonly clock: Clock,
  ) {}

  /** @throws ApiError `not_found`, also for a task the account may not see. */
  async find(accountId: string, taskId: string): Promise<VisibleMatchedTask> {
    const { task, extra } = await this.tasks.findWith<BuyerRow & { newest_snapshot: KeptSnapshot | null }>(
      accountId,
      taskId,
      WITH_TASK,
    );
    return { task, buyer: extra, newest: extra.newest_snapshot };
  }

  /** @param buyer what `find` read of the task; it is read here when it is not given. */
  async of(task: MatchedTask, buyer?: BuyerRow): Promise<MatchContext> {
    const reading = buyer ?? this.reads.queryParsed<BuyerRow>(BUYER.name, BUYER.text, [task.id]).then(([row]) => row);
    const words = this.reads.query<TaskWordRow>(TASK_WORDS.name, TASK_WORDS.text, taskWordsValues(task));
    const [rows, row] = await Promise.all([words, reading]);
    return this.contextOf(task, taskWordsOf(rows), row);
  }

  private contextOf(task: MatchedTask, words: TaskWords, buyer: BuyerRow | undefined): MatchContext {
    const { id: taskId, buyerAccountId: accountId, buyerWallet: walletAddress } = task;
    return {
      words,
      query: {
        taskId,
        terms: words.terms,
        brief: words.brief,
        buyer: { accountId, walletAddress, cluster: buyer?.buyer_cluster ?? accountId },
        buyerAccounts: [accountId, ...textsOf(buyer?.buyer_accounts ?? '[]')],
        refusedAgents: textsOf(buyer?.refused_agents ?? '[]'),
        shownAgents: new Set(textsOf(buyer?.shown_agents ?? '[]')),
        excluded: { agents: integersIn(buyer?.excluded_agents ?? ''), brief: buyer?.own_brief ?? 0 },
        anchored: buyer?.anchored ?? false,
        at: this.clock.now(),
      },
    };
  }
}
