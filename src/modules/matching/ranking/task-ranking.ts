import type { TaskToMatch } from './match-query.js';

/** An agent's place among the matches of a task. */
export interface AgentPlace {
  readonly agentId: string;
  /** Account of its owner. */
  readonly accountId: string;
  /** 1 for the best. */
  readonly rank: number;
  /** In [0, 1], four decimals. */
  readonly score: number;
}

/** The order of the agents that match a task, for modules that choose among agents and need not know how it is made. */
export abstract class TaskRanking {
  /** Returns the places of the best agents that may be hired for the task, best first: at most 1,000. */
  abstract placesFor(task: TaskToMatch): Promise<readonly AgentPlace[]>;
}
