import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../../platform/database/reads/read-connections.js';
import { Clock } from '../../../platform/time/clock.js';
import { textsOf } from '../../agents/agent/json-strings.js';
import { arrayText } from '../relevance/pg-array.js';
import { type ReputationColumns, reputationIn } from '../ranking/reputation-row.js';
import { MatchDto, type MatchedAgentRow } from '../dto/match.dto.js';
import type { Candidate } from '../ranking/candidate-source.js';
import type { MatchQuery } from '../ranking/match-query.js';
import type { RankedCandidate } from '../ranking/rank.js';
import { LIVE_MATCHES } from './match-page.sql.js';
import { reasonOf } from '../ranking/reason.js';
import { anyOfLexemes } from '../relevance/lexemes.js';

/** A place of a ranking: what is shown of it, and what a snapshot keeps. */
export interface PlacedMatch extends Pick<RankedCandidate<unknown>, 'rank' | 'score' | 'isDiscovery'> {
  candidate: Pick<Candidate, 'agentNumber' | 'relevance' | 'similarity'>;
}

/** The present fields of a shown agent and its record (`LIVE_COLUMNS`), as the text that Postgres sent. */
export interface LiveMatchRow extends MatchedAgentRow, ReputationColumns {
  matches_name: 'true' | 'false';
  /** JSON array of texts. */
  matched_capabilities: string;
}

/** Turns places of a fresh ranking into matches: with agent, reputation and reason. */
@Injectable()
export class MatchPresenter {
  constructor(
    private readonly reads: SearchConnections,
    private readonly clock: Clock,
  ) {}

  async present(matches: readonly PlacedMatch[], { words, query }: MatchQuery): Promise<MatchDto[]> {
    const numbers = arrayText(matches.map(({ candidate }) => candidate.agentNumber));
    const values = [numbers, this.clock.now().toISOString(), anyOfLexemes(words.lexemes)];
    const rows = await this.reads.query<LiveMatchRow & { place: string }>(LIVE_MATCHES.name, LIVE_MATCHES.text, values);
    return rows.flatMap((row) => {
      const match = matches[Number(row.place) - 1];
      return match === undefined ? [] : [presentMatch(match, row, query.anchored)];
    });
  }
}

/**
 * Turns a place of a ranking into a match with its reason.
 * @param anchored true when the records were computed with verified buyers.
 */
export function presentMatch(
  { candidate, rank, score, isDiscovery }: PlacedMatch,
  row: LiveMatchRow,
  anchored: boolean,
): MatchDto {
  const reputation = reputationIn(row);
  const reasoned = {
    relevance: candidate.relevance,
    similarity: candidate.similarity,
    reputation,
    matchedCapabilities: textsOf(row.matched_capabilities),
    matchesName: row.matches_name === 'true',
  };
  return MatchDto.from({
    rank,
    score,
    reason: reasonOf({ candidate: reasoned, isDiscovery }, anchored),
    reputation,
    agent: row,
  });
}
