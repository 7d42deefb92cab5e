import type { ObjectLiteral } from 'typeorm';
import { columnsSql, entityOf } from '../entity-rows.js';
import type { Transactions } from '../transactions.js';

/** Reads entities by a prepared statement, as `Transactions.lookUp` reads rows. */
export class EntityLookUp<Entity extends ObjectLiteral> {
  private text: string | undefined;

  /**
   * @param name names the statement for good: one name, one text.
   * @param textOf makes the text; `columns` lists the entity's columns by the alias of its table.
   */
  constructor(
    private readonly entity: new () => Entity,
    private readonly name: string,
    private readonly textOf: (columns: (alias: string) => string) => string,
  ) {}

  /** The entities of the rows, in their order. @throws as `Transactions.lookUp`. */
  async find(transactions: Transactions, values: unknown[]): Promise<Entity[]> {
    return (await this.findWithRows(transactions, values)).map(({ entity }) => entity);
  }

  /** As `find`, each with its whole row, for what the statement selects beside the entity's columns. */
  async findWithRows(
    transactions: Transactions,
    values: unknown[],
  ): Promise<{ readonly entity: Entity; readonly row: Readonly<Record<string, unknown>> }[]> {
    const { manager } = transactions;
    this.text ??= this.textOf((alias) => columnsSql(manager, this.entity, alias));
    const rows = await transactions.lookUp<Record<string, unknown>>({ name: this.name, text: this.text }, values);
    return rows.map((row) => ({ entity: entityOf(manager, this.entity, row), row }));
  }
}
