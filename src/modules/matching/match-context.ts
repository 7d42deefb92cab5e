import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../platform/database/read-connections.js';
import type { PreparedStatement } from '../../platform/database/transactions.js';
import { Clock } from '../../platform/time/clock.js';
import { textsOf } from '../agents/json-texts.js';
import { clusterOf } from '../reputation/evidence/evidence.sql.js';
import type { TaskEntity } from '../tasks/task.entity.js';
import { refusedAgents } from './agent-facts.sql.js';
import { TASK_WORDS, type TaskWordRow, type TaskWords, taskWordsOf, taskWordsValues } from './briefs/task-words.js';
import type { CandidateQuery } from './candidates/candidate-source.js';

/** What a task's agents are found by. */
export type MatchedTask = Pick<TaskEntity, 'id' | 'title' | 'brief' | 'criteria' | 'buyerAccountId' | 'buyerWallet'>;

/** A task as the market sees it at one moment. */
export interface MatchContext {
  words: TaskWords;
  query: CandidateQuery;
}

/**
 * Who is behind the buyer of the task $1, which agents have refused it, which were shown for it, and whether the records that
 * count now were made with verified buyers.
 */
const BUYER: PreparedStatement = {
  name: 'match_buyer',
  text: `SELECT own.cluster,
      (SELECT json_agg(account_id) FROM account_clusters WHERE cluster_id = own.cluster) AS accounts,
      (SELECT json_agg(refused.id) FROM (${refusedAgents('$1')}) AS refused (id)) AS refused,
      (SELECT json_agg(agent_id) FROM match_impressions WHERE task_id = $1) AS shown,
      coalesce((SELECT anchors > 0 FROM trust_runs WHERE status = 'finished' ORDER BY id DESC LIMIT 1), false)::text
        AS anchored
    FROM (SELECT ${clusterOf('buyer_account_id')} AS cluster FROM tasks WHERE id = $1) AS own`,
};

/** A row of `BUYER`, as the text that Postgres sent. */
interface BuyerRow {
  cluster: string;
  /** JSON array of texts, or null. */
  accounts: string | null;
  refused: string | null;
  shown: string | null;
  anchored: 'true' | 'false';
}

/** Reads what the candidates for a task are looked for by. */
@Injectable()
export class MatchContexts {
  constructor(
    private readonly reads: SearchConnections,
    private readonly clock: Clock,
  ) {}

  of(task: MatchedTask): Promise<MatchContext> {
    return this.begin(task.id)(task);
  }

  /** Reads what does not depend on the texts of a task while they are still read. */
  begin(taskId: string): (task: MatchedTask) => Promise<MatchContext> {
    const reading = this.reads.query<BuyerRow>(BUYER.name, BUYER.text, [taskId]);
    // Who finds that there is no such task never asks for this.
    reading.catch(() => undefined);
    return async (task) => {
      const words = this.reads.query<TaskWordRow>(TASK_WORDS.name, TASK_WORDS.text, taskWordsValues(task));
      const [rows, [buyer]] = await Promise.all([words, reading]);
      return this.contextOf(task, taskWordsOf(rows), buyer);
    };
  }

  private contextOf(task: MatchedTask, words: TaskWords, buyer: BuyerRow | undefined): MatchContext {
    const { id: taskId, buyerAccountId: accountId, buyerWallet: walletAddress } = task;
    return {
      words,
      query: {
        taskId,
        terms: words.terms,
        brief: words.brief,
        buyer: { accountId, walletAddress, cluster: buyer?.cluster ?? accountId },
        buyerAccounts: [accountId, ...textsOf(buyer?.accounts ?? '[]')],
        refusedAgents: textsOf(buyer?.refused ?? '[]'),
        shownAgents: new Set(textsOf(buyer?.shown ?? '[]')),
        anchored: buyer?.anchored === 'true',
        at: this.clock.now(),
      },
    };
  }
}
