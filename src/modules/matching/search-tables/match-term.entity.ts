import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A word that agents or settled briefs have, or had until unused-terms.sweeper.ts comes round. */
@Entity('match_terms')
@Index('match_terms_word_key', ['word'], { unique: true })
@Index('match_terms_unused_idx', ['termId'], { where: 'df = 0 AND brief_df = 0' })
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
