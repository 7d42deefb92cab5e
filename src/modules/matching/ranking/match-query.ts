import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/reads/read-connections.js';
import { Clock } from '../../../platform/time/clock.js';
import { textsOf } from '../../agents/agent/json-strings.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { integersIn } from '../relevance/pg-array.js';
import { type TaskWords, taskWordsOf, taskWordsValues } from '../relevance/task-words.js';
import { TASK_WORDS, type TaskWordRow } from '../relevance/task-words.sql.js';
import { BUYER, type BuyerRow } from './buyer-facts.sql.js';
import type { CandidateQuery } from './candidate-source.js';

/** The fields of a task that matching needs. */
export type TaskToMatch = Pick<TaskEntity, 'id' | 'title' | 'brief' | 'criteria' | 'buyerAccountId' | 'buyerWallet'>;

/** The words of a task and the search for its candidates, at one moment. */
export interface MatchQuery {
  words: TaskWords;
  query: CandidateQuery;
}

/** Makes the search for a task's candidates. */
@Injectable()
export class MatchQueries {
  constructor(
    private readonly reads: SearchConnections,
    private readonly clock: Clock,
  ) {}

  /** @param buyer the buyer's columns if they were read with the task; read here otherwise. */
  async queryFor(task: TaskToMatch, buyer?: BuyerRow): Promise<MatchQuery> {
    const reading = buyer ?? this.reads.queryParsed<BuyerRow>(BUYER.name, BUYER.text, [task.id]).then(([row]) => row);
    const words = this.reads.query<TaskWordRow>(TASK_WORDS.name, TASK_WORDS.text, taskWordsValues(task));
    const [rows, row] = await Promise.all([words, reading]);
    return this.contextOf(task, taskWordsOf(rows), row);
  }

  private contextOf(task: TaskToMatch, words: TaskWords, buyer: BuyerRow | undefined): MatchQuery {
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
