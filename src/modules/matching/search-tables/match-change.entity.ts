import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { MatchChangeKind } from './match-changes.js';

/** Something that the next match must know, written in the transaction that changed it. */
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
   * Transaction that wrote it. Numbers of a sequence are taken before a commit, so a row may appear behind others: a
   * reader reads again those of transactions from `pg_snapshot_xmin(pg_current_snapshot())` of its last look on.
   */
  @Column({ name: 'transaction_id', type: 'bigint' })
  transactionId!: string;

  @Column({ type: 'text' })
  kind!: MatchChangeKind;

  /** Null for what concerns all agents, or a brief. */
  @Column({ name: 'agent_number', type: 'integer', nullable: true })
  agentNumber!: number | null;

  /** Of `facts`: all agents that one statement has changed. */
  @Column({ name: 'agent_numbers', type: 'integer', array: true, nullable: true })
  agentNumbers!: number[] | null;

  /** `MatchBriefEntity.number` of the brief that it concerns, also of one that is gone. */
  @Column({ name: 'brief_number', type: 'integer', nullable: true })
  briefNumber!: number | null;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt!: Date;
}
