import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A word of agents or settled briefs. unused-terms.sweeper.ts deletes words that are no longer used. */
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

  /** Agents that have the word, by the last count. */
  @Column({ type: 'integer', default: 0 })
  df!: number;

  /** Settled briefs that have the word, by the last count. */
  @Column({ name: 'brief_df', type: 'integer', default: 0 })
  briefDf!: number;
}
