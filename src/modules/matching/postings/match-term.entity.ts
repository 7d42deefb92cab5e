import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A word that agents or settled briefs have. Words are never taken away, so that postings need no second look. */
@Entity('match_terms')
@Index('match_terms_word_key', ['word'], { unique: true })
export class MatchTermEntity {
  @PrimaryGeneratedColumn('identity', {
    name: 'term_id',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'match_terms_pkey',
  })
  termId!: number;

  @Column({ type: 'text' })
  word!: string;

  /** Agents that have it, as of the statistics. */
  @Column({ type: 'integer', default: 0 })
  df!: number;

  /** Settled briefs that have it, as of the statistics. */
  @Column({ name: 'brief_df', type: 'integer', default: 0 })
  briefDf!: number;
}
