import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A tree that has changed, so that the statuses of its actions have to be looked at. Leaves within a second. */
@Entity('action_looks')
export class ActionLookEntity {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'action_looks_pkey',
  })
  id!: string;

  @Column({ name: 'task_id', type: 'text' })
  taskId!: string;
}
