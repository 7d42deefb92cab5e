import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../../../platform/config/environment.js';
import { SingleProcessRunner } from '../../../../platform/database/locks/single-process-runner.js';
import { AgentSearchRows } from './agent-search-rows.js';

/** Interval between updates. Until its row is updated, a changed agent is read from the source tables. (policy) */
const INTERVAL_MS = 500;

/** Regularly updates the rows of `match_agents` after changes. */
@Injectable()
export class AgentSearchRowsRunner extends SingleProcessRunner {
  constructor(
    { databaseUrl }: Environment,
    private readonly rows: AgentSearchRows,
  ) {
    super(new Logger('matching'), {
      databaseUrl,
      lock: { keys: [0x7a5c, 0x3a7d], application: 'tasktree-agent-rows' },
      everyMs: INTERVAL_MS,
      failure: 'Searches read what they need of agents one by one',
    });
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return this.rows.follow(signal);
  }
}
