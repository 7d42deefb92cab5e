import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What was told of a node's deadlines. It outlives the node of an index that is made again, so that nothing is told twice. */
@Entity('told_deadlines')
export class ToldDeadlineEntity {
  @PrimaryColumn({ name: 'node_id', type: 'text' })
  nodeId!: string;

  /** The newest moment of its time to deliver that was told: that deadline, or an hour or a day before it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  delivery!: Date | null;

  /** The same of the time in which the other side answers. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  clock!: Date | null;
}
