import type { DataSource } from 'typeorm';

/** What a statement costs, independently of how busy the machine is. */
export interface PlanCost {
  /** Pages that it accessed, in memory or not. */
  buffers: number;
  /** Tables that it scanned sequentially. */
  scanned: string[];
  rows: number;
}

type PlanValue = string | number | Date | null;

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: PlanNode[];
}

/** Measures a statement as the service runs it, prepared once for all values. The values are as `pg` takes them. */
export async function costOf(dataSource: DataSource, text: string, values: readonly PlanValue[]): Promise<PlanCost> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('SET LOCAL plan_cache_mode = force_generic_plan');
    await runner.query(`PREPARE measured AS ${text}`);
    const call = `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE measured(${values.map(literal).join(', ')})`;
    // The first execution also reads the catalogue, so the second one is measured.
    await runner.query(call);
    const [row]: { 'QUERY PLAN': [{ Plan: PlanNode }] }[] = await runner.query(call);
    await runner.query('DEALLOCATE measured');
    if (!row) throw new Error('The statement has no plan');
    return read(row['QUERY PLAN'][0].Plan);
  } finally {
    await runner.rollbackTransaction();
    await runner.release();
  }
}

function read(plan: PlanNode): PlanCost {
  const buffers = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  return { buffers, scanned: [...scannedIn(plan)].sort(), rows: plan['Actual Rows'] ?? 0 };
}

function* scannedIn(node: PlanNode): Generator<string> {
  if (node['Node Type'] === 'Seq Scan' && node['Relation Name']) yield node['Relation Name'];
  for (const part of node.Plans ?? []) yield* scannedIn(part);
}

function literal(value: PlanValue): string {
  if (value === null) return 'NULL';
  return `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`;
}
