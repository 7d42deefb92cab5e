import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { runPrepared } from '../../../platform/database/transactions.js';
import { averagesOf, MarketStatistics } from './market-statistics.js';
import { writePostings } from './posting-store.js';
import { AGENTS_BY_ID, type PostedAgent } from './statements/match-postings.sql.js';

/** Keeps the postings of agents up to date with their texts. */
@Injectable()
export class AgentPostings {
  constructor(private readonly statistics: MarketStatistics) {}

  /** Rewrites the postings of these agents from their present rows, in the caller's transaction. */
  async write(manager: EntityManager, agentIds: readonly string[]): Promise<void> {
    const held = await this.statistics.hold(manager);
    const agents = await runPrepared<PostedAgent>(manager, AGENTS_BY_ID, [[...agentIds]]);
    const changed = await writePostings(manager, agents, averagesOf(held));
    await this.statistics.follow(manager, held, changed);
  }
}
