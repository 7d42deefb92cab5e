import { Injectable } from '@nestjs/common';
import { SearchConnections } from '../../platform/database/read-connections.js';
import { Clock } from '../../platform/time/clock.js';
import { textsOf } from '../agents/json-texts.js';
import { type ReputationColumns, reputationIn } from './reputation-row.js';
import { MatchDto, type MatchedAgentRow } from './dto/match.dto.js';
import type { MatchContext } from './match-context.js';
import { LIVE_MATCHES } from './match-page.sql.js';
import { type RankingColumns, SCORE_PARTS } from './ranking-columns.js';
import { reasonOf } from './reason.js';
import { anyOfLexemes } from './relevance/lexemes.js';

/** A row of `LIVE_MATCHES`, as the text that Postgres sent. */
interface LiveMatchRow extends MatchedAgentRow, ReputationColumns {
  rank: string;
  place_score: string;
  relevance: string;
  similarity: string;
  is_discovery: 'true' | 'false';
  matches_name: 'true' | 'false';
  /** JSON array of texts. */
  matched_capabilities: string;
}

/** Rows of rankings as they are shown: with their agents and records of now, and the reason. */
@Injectable()
export class ShownMatches {
  constructor(
    private readonly reads: SearchConnections,
    private readonly clock: Clock,
  ) {}

  async of(columns: RankingColumns, { words, query }: MatchContext): Promise<MatchDto[]> {
    const values = [...columns, this.clock.now().toISOString(), anyOfLexemes(words.lexemes)];
    const rows = await this.reads.query<LiveMatchRow>(LIVE_MATCHES.name, LIVE_MATCHES.text, values);
    return rows.map((row) => shown(row, query.anchored));
  }
}

function shown(row: LiveMatchRow, anchored: boolean): MatchDto {
  const reputation = reputationIn(row);
  const candidate = {
    relevance: Number(row.relevance),
    similarity: Number(row.similarity),
    reputation,
    matchedCapabilities: textsOf(row.matched_capabilities),
    matchesName: row.matches_name === 'true',
  };
  return MatchDto.from({
    rank: Number(row.rank),
    score: Number(row.place_score) / SCORE_PARTS,
    reason: reasonOf({ candidate, isDiscovery: row.is_discovery === 'true' }, anchored),
    reputation,
    agent: row,
  });
}
