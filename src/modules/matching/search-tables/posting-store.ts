import type { EntityManager } from 'typeorm';
import { runPrepared } from '../../../platform/database/transactions.js';
import { type FieldCounts, impactOf } from '../relevance/impact.js';
import { agentLexemes } from '../relevance/lexemes.js';
import {
  FORGET_LENGTHS,
  FORGET_POSTINGS,
  type PostedAgent,
  WRITE_LENGTHS,
  WRITE_POSTINGS,
} from './statements/match-postings.sql.js';
import { termIdsOf } from './term-ids.js';

/**
 * Replaces the postings of these agents. Only active agents have postings.
 * @param averages average lengths with which all impacts are computed.
 * @returns numbers of the words whose postings have changed, unordered and with repetitions.
 */
export async function writePostings(
  manager: EntityManager,
  agents: readonly PostedAgent[],
  averages: FieldCounts,
): Promise<number[]> {
  if (agents.length === 0) return [];
  const active = agents
    .filter(({ status }) => status === 'active')
    .map(({ number, search }) => ({ number, ...agentLexemes(search) }));
  const ids = await termIdsOf(
    manager,
    active.flatMap(({ terms }) => [...terms.keys()]),
  );
  const postings = active.flatMap(({ number, terms, lengths }) =>
    [...terms].flatMap(([word, tf]) => {
      const termId = ids.get(word);
      const impact = impactOf(tf, lengths, averages);
      return termId === undefined || impact === 0 ? [] : [{ number, termId, impact }];
    }),
  );
  const numbers = agents.map(({ number }) => number);
  const before = await runPrepared<{ term_id: number }>(manager, FORGET_POSTINGS, [numbers]);
  await runPrepared(manager, WRITE_POSTINGS, [
    postings.map(({ number }) => number),
    postings.map(({ termId }) => termId),
    postings.map(({ impact }) => impact),
  ]);
  await runPrepared(manager, FORGET_LENGTHS, [
    agents.filter(({ status }) => status !== 'active').map(({ number }) => number),
  ]);
  await runPrepared(manager, WRITE_LENGTHS, [
    active.map(({ number }) => number),
    active.map(({ lengths }) => lengths.name),
    active.map(({ lengths }) => lengths.rest),
  ]);
  return [...before.map(({ term_id }) => term_id), ...postings.map(({ termId }) => termId)];
}
