import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';

/** SQL list of an entity's columns, for rows that `entityOf` reads. @param alias of its table in the statement. */
export function columnsSql(manager: EntityManager, entity: EntityTarget<ObjectLiteral>, alias: string): string {
  const { columns } = manager.dataSource.getMetadata(entity);
  return columns.flatMap(({ databaseName, isSelect }) => (isSelect ? [`${alias}.${databaseName}`] : [])).join(', ');
}

/**
 * The entity of a row with the columns of `columnsSql`, values as `pg` parses them. A repository would return the same,
 * but with a statement that it builds, and Postgres plans, anew each time.
 */
export function entityOf<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: new () => Entity,
  row: Readonly<Record<string, unknown>>,
): Entity {
  const { driver } = manager.dataSource;
  const made = new entity();
  for (const column of manager.dataSource.getMetadata(entity).columns) {
    if (!column.isSelect) continue;
    column.setEntityValue(made, driver.prepareHydratedValue(row[column.databaseName], column));
  }
  return made;
}
