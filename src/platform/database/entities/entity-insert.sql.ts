import type { EntityManager, EntityMetadata, ObjectLiteral } from 'typeorm';
import { runWithNext } from '../transactions.js';

/** By entity, the text of its insert: TypeORM would build the same one for every row. */
const texts = new WeakMap<EntityMetadata, string>();

/**
 * Inserts a new row of an entity. The statement is sent together with the next one of the transaction, at the latest with
 * COMMIT, which then throws its error. `save` of the manager would first read whether the row exists, and wait twice.
 * @throws TypeError when a column has no value; it would silently become null.
 */
export async function insertWithNext<Entity extends ObjectLiteral>(
  manager: EntityManager,
  entity: new () => Entity,
  row: Entity,
): Promise<void> {
  const metadata = manager.dataSource.getMetadata(entity);
  const { driver } = manager.dataSource;
  const values = columnsOf(metadata).map((column) => {
    const value: unknown = column.getEntityValue(row);
    if (value === undefined) throw new TypeError(`A new row of ${metadata.tableName} has no ${column.propertyName}`);
    return driver.preparePersistentValue(value, column) as unknown;
  });
  await runWithNext(manager, { name: `${metadata.tableName}-insert`, text: textOf(metadata) }, values);
}

/** The columns that a new row gives; the database makes the others itself. */
function columnsOf({ columns }: EntityMetadata): EntityMetadata['columns'] {
  return columns.filter(({ isInsert, isGenerated }) => isInsert && !isGenerated);
}

function textOf(metadata: EntityMetadata): string {
  let text = texts.get(metadata);
  if (text === undefined) {
    const names = columnsOf(metadata).map(({ databaseName }) => databaseName);
    const places = names.map((_, index) => `$${index + 1}`);
    text = `INSERT INTO ${metadata.tableName} (${names.join(', ')}) VALUES (${places.join(', ')})`;
    texts.set(metadata, text);
  }
  return text;
}
