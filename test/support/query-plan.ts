import type { DataSource, QueryRunner } from 'typeorm';
import { LISTS } from '../../src/platform/database/reads/read-connections.js';

/** One node of a plan, in the words of `EXPLAIN (FORMAT JSON)`. */
export interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  'Scan Direction'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** How Postgres runs a statement. */
export class QueryPlan {
  /** All nodes, each before its parts. */
  readonly nodes: readonly PlanNode[];

  constructor(private readonly root: PlanNode) {
    this.nodes = withParts(root);
  }

  /** How tables and indexes are read: `Index Scan Backward using tasks_pkey on tasks`, `Seq Scan on agents`. */
  get scans(): string[] {
    return this.nodes.filter((node) => node['Relation Name'] ?? node['Index Name']).map(scanOf);
  }

  /** Tables that are read sequentially, in alphabetical order. */
  get scanned(): string[] {
    const scans = this.nodes.filter((node) => node['Node Type'] === 'Seq Scan');
    return scans.flatMap((node) => node['Relation Name'] ?? []).sort();
  }

  /** Pages that a measured statement accessed, in memory or not. */
  get buffers(): number {
    return (this.root['Shared Hit Blocks'] ?? 0) + (this.root['Shared Read Blocks'] ?? 0);
  }

  /** Rows that a measured statement read, or put together, and threw away. */
  get discarded(): number {
    const all = this.nodes.map((node) => {
      const once = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
      return once * (node['Actual Loops'] ?? 1);
    });
    return Math.round(all.reduce((sum, rows) => sum + rows, 0));
  }

  /** Rows that a measured statement returned. */
  get rows(): number {
    return this.root['Actual Rows'] ?? 0;
  }
}

/**
 * A statement that is prepared once for all values, as the service prepares it, on a connection and in a transaction of
 * its own. Close it: what it has changed is rolled back.
 */
export class PlannedStatement {
  private constructor(private readonly runner: QueryRunner) {}

  /** @param settings of the connections that the service runs the statement on. */
  static async prepare(
    dataSource: DataSource,
    text: string,
    settings: readonly string[] = [],
  ): Promise<PlannedStatement> {
    const runner = dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      for (const setting of ['statement_timeout=0', ...settings, 'plan_cache_mode=force_generic_plan']) {
        await runner.query(`SET LOCAL ${setting}`);
      }
      await runner.query(`PREPARE planned AS ${text}`);
      return new PlannedStatement(runner);
    } catch (error) {
      await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
      throw error;
    }
  }

  async run(values: readonly unknown[]): Promise<void> {
    await this.runner.query(execution(values));
  }

  /** The plan, without running the statement. */
  plan(values: readonly unknown[]): Promise<QueryPlan> {
    return this.explain('COSTS OFF', values);
  }

  /** Runs the statement and returns its plan with what it has cost. The values are as `pg` takes them. */
  measure(values: readonly unknown[]): Promise<QueryPlan> {
    return this.explain('ANALYZE, BUFFERS', values);
  }

  async close(): Promise<void> {
    try {
      await this.runner.rollbackTransaction();
      await this.runner.query('DEALLOCATE planned');
    } finally {
      await this.runner.release();
    }
  }

  private async explain(options: string, values: readonly unknown[]): Promise<QueryPlan> {
    const explanation = `EXPLAIN (${options}, FORMAT JSON) ${execution(values)}`;
    const [row]: { 'QUERY PLAN': [{ Plan: PlanNode }] }[] = await this.runner.query(explanation);
    if (!row) throw new Error('The statement has no plan');
    return new QueryPlan(row['QUERY PLAN'][0].Plan);
  }
}

/** The plan of a statement, which does not run. @param settings of its connections; by default those of lists. */
export function planOf(
  dataSource: DataSource,
  text: string,
  values: readonly unknown[],
  settings: readonly string[] = LISTS.settings,
): Promise<QueryPlan> {
  return withStatement(dataSource, text, settings, (statement) => statement.plan(values));
}

/** What a statement costs, independently of how busy the machine is. */
export function costOf(
  dataSource: DataSource,
  text: string,
  values: readonly unknown[],
  settings: readonly string[] = [],
): Promise<QueryPlan> {
  return withStatement(dataSource, text, settings, async (statement) => {
    // The first execution also reads the catalogue, so the second one is measured.
    await statement.measure(values);
    return statement.measure(values);
  });
}

async function withStatement(
  dataSource: DataSource,
  text: string,
  settings: readonly string[],
  explain: (statement: PlannedStatement) => Promise<QueryPlan>,
): Promise<QueryPlan> {
  const statement = await PlannedStatement.prepare(dataSource, text, settings);
  try {
    return await explain(statement);
  } finally {
    await statement.close();
  }
}

function withParts(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withParts)];
}

function scanOf(node: PlanNode): string {
  const { 'Node Type': type, 'Relation Name': table, 'Index Name': index, 'Scan Direction': direction } = node;
  // The scan of an index that makes a bitmap names no table.
  const words = [
    type,
    direction === 'Backward' && direction,
    index && table && `using ${index}`,
    `on ${table ?? index}`,
  ];
  return words.filter(Boolean).join(' ');
}

function execution(values: readonly unknown[]): string {
  return values.length === 0 ? 'EXECUTE planned' : `EXECUTE planned(${values.map(literal).join(', ')})`;
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  return `'${plain(value).replaceAll("'", "''")}'`;
}

function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value)
    ? `{${value.map((each) => JSON.stringify(each ?? null)).join(',')}}`
    : JSON.stringify(value);
}
