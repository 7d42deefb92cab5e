import type { DataSource, QueryRunner } from 'typeorm';
import { Matching1700000000009 } from '../../../src/migrations/1700000000009-matching.js';
import { MatchFacts1700000000011 } from '../../../src/migrations/1700000000011-match-facts.js';
import { MatchAgents1700000000013 } from '../../../src/migrations/1700000000013-match-agents.js';
import { ImpactsAnew1700000000016 } from '../../../src/migrations/1700000000016-impacts-anew.js';
import { AgentWords1700000000054 } from '../../../src/migrations/1700000000054-agent-words.js';
import { AgentsOfOwners1700000000056 } from '../../../src/migrations/1700000000056-agents-of-owners.js';
import { WordsOfAgents1700000000055 } from '../../../src/migrations/1700000000055-words-of-agents.js';
import { SearchedBriefs1700000000124 } from '../../../src/migrations/1700000000124-searched-briefs.js';

/**
 * Reverts everything that agents are matched by, runs `meanwhile`, and migrates again, for the agents that then exist.
 */
export async function migrateMatchingAnew(
  dataSource: DataSource,
  meanwhile: (runner: QueryRunner) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const migrations = [
    new Matching1700000000009(),
    new MatchFacts1700000000011(),
    new MatchAgents1700000000013(),
    new ImpactsAnew1700000000016(),
    // These name agents by the numbers that the first migration assigns.
    new AgentWords1700000000054(),
    new WordsOfAgents1700000000055(),
    new AgentsOfOwners1700000000056(),
    new SearchedBriefs1700000000124(),
  ];
  const runner = dataSource.createQueryRunner();
  try {
    for (const migration of migrations.toReversed()) await migration.down(runner);
    await meanwhile(runner);
    for (const migration of migrations) await migration.up(runner);
  } finally {
    await runner.release();
  }
}
