import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { baseUnits } from '../../platform/database/columns/base-units.column.js';

/** The books of one tree as the indexed chain tells them: funded = held + paid + refundable, in base units. */
@Entity('escrow_trees')
@ForeignKey('tasks', ['taskId'], ['id'], { name: 'escrow_trees_task_id_fkey' })
export class EscrowTreeEntity {
  @PrimaryColumn({ name: 'task_id', type: 'text' })
  taskId!: string;

  @Column(baseUnits)
  funded!: bigint;

  @Column(baseUnits)
  held!: bigint;

  @Column(baseUnits)
  paid!: bigint;

  @Column(baseUnits)
  refundable!: bigint;

  /** Block of the newest fact in these books. */
  @Column({ name: 'block_number', type: 'integer' })
  blockNumber!: number;
}
