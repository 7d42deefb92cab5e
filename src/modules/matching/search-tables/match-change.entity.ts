import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { MatchChangeKind } from './match-changes.js';

/** A change that affects matches, recorded in the transaction that makes it. */
@Entity('match_changes')
@Index('match_changes_created_at_idx', ['createdAt'])
@Index('match_changes_transaction_id_idx', ['transactionId'])
export class MatchChangeEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'BY DEFAULT',
    primaryKeyConstraintName: 'match_changes_pkey',
  })
  seq!: string;

  /**
   * Transaction that wrote the row. Sequence numbers are assigned before the commit, so a row may become visible after
   * rows with higher numbers. A reader therefore reads again from transaction `pg_snapshot_xmin(pg_current_snapshot())`
   * of its last read.
   */
  @Column({ name: 'transaction_id', type: 'bigint' })
  transactionId!: string;

  @Column({ type: 'text' })
  kind!: MatchChangeKind;

  /** Null for a change that concerns all agents, several agents or a brief. */
  @Column({ name: 'agent_number', type: 'integer', nullable: true })
  agentNumber!: number | null;

  /** Only for kind `facts`: all agents that one statement has changed. */
  @Column({ name: 'agent_numbers', type: 'integer', array: true, nullable: true })
  agentNumbers!: number[] | null;

  /** `MatchBriefEntity.number` of the changed brief, which may be deleted by now. */
  @Column({ name: 'brief_number', type: 'integer', nullable: true })
  briefNumber!: number | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
