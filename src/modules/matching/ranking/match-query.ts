import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/reads/read-connections.js';
import { Clock } from '../../../platform/time/clock.js';
import { textsOf } from '../../agents/agent/json-strings.js';
import type { TaskEntity } from '../../tasks/task/task.entity.js';
import { integersIn } from '../relevance/pg-array.js';
import { TASK_WORDS, type TaskWordRow, type TaskWords, taskWordsOf, taskWordsValues } from '../relevance/task-words.js';
import { BUYER, type BuyerRow } from './buyer-facts.sql.js';
import type { CandidateQuery } from './candidate-source.js';

/** What a task's agents are found by. */
export type TaskToMatch = Pick<TaskEntity, 'id' | 'title' | 'brief' | 'criteria' | 'buyerAccountId' | 'buyerWallet'>;

/** A task as the market sees it at one moment. */
export interface MatchQuery {
  words: TaskWords;
  query: CandidateQuery;
}

/** Reads what the candidates for a task are looked for by. */
@Injectable()
export class MatchQueries {
  constructor(
    private readonly reads: SearchConnections,
    private readonly clock: Clock,
  ) {}

  /** @param buyer what was read of the task beside it; it is read here when it is not given. */
  async of(task: TaskToMatch, buyer?: BuyerRow): Promise<MatchQuery> {
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
