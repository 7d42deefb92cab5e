import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The impact of a word for an agent: `impactOf` (relevance/impact.ts), 1 to 255. Only active agents have postings. */
@Entity('match_postings')
@Index('match_postings_term_id_impact_idx', { synchronize: false })
export class MatchPostingEntity {
  @PrimaryColumn({ name: 'agent_number', type: 'integer' })
  agentNumber!: number;

  @PrimaryColumn({ name: 'term_id', type: 'integer' })
  termId!: number;

  @Column({ type: 'smallint' })
  impact!: number;
}
