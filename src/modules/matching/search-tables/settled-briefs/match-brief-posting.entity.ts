import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A word of a settled brief and its weight in the brief's vector, 1 to 255 (relevance/similar-briefs.ts); 0 for a word
 * that is not in the vector but counts for document frequencies.
 */
@Entity('match_brief_postings')
@Index('match_brief_postings_term_id_weight_idx', { synchronize: false })
export class MatchBriefPostingEntity {
  @PrimaryColumn({ name: 'brief_number', type: 'integer' })
  briefNumber!: number;

  @PrimaryColumn({ name: 'term_id', type: 'integer' })
  termId!: number;

  @Column({ type: 'smallint' })
  weight!: number;

  /** As `MatchBriefEntity.isSearched`. */
  @Column({ name: 'is_searched', type: 'boolean', default: true })
  isSearched!: boolean;
}
