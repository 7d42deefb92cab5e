import { programFiles } from './source-files.js';
import { accessesOf, ownersOf, partOf } from './table-accesses.js';

const files = programFiles();

/**
 * Which part names tables of which other part in its own SQL. A new reader uses a fragment from the owner's
 * `<module>.sql-views.ts` instead, which does not count here. Remove an entry that is no longer needed.
 */
const READERS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  account: {
    accounts: ['audit_events'],
    oauth: ['oauth_grants'],
  },
  agents: {
    accounts: ['account_wallets', 'accounts'],
  },
  artifacts: {
    deliveries: ['deliveries'],
    escrow: ['escrow_nodes', 'unpublished_trees'],
    tasks: ['task_parties'],
  },
  credentials: {
    accounts: ['accounts'],
    oauth: ['oauth_grants', 'oauth_records'],
  },
  earnings: {
    escrow: ['escrow_nodes'],
    tasks: ['task_parties', 'tasks'],
  },
  escrow: {
    accounts: ['account_wallets', 'accounts'],
    agents: ['agents'],
    quotes: ['quotes'],
    tasks: ['tasks'],
  },
  inbox: {
    escrow: ['escrow_nodes'],
  },
  matching: {
    agents: ['agents'],
    escrow: ['escrow_nodes'],
    quotes: ['quotes'],
    reputation: ['account_clusters', 'buyer_independence', 'reputation_records', 'settlements', 'trust_runs'],
    tasks: ['tasks'],
  },
  'platform/chain': {
    escrow: ['chain_blocks', 'chain_identity', 'unpublished_trees'],
  },
  'prepared-actions': {
    escrow: ['chain_facts', 'escrow_nodes', 'escrow_trees'],
    quotes: ['quotes'],
    tasks: ['tasks'],
  },
  previews: {
    agents: ['agents'],
    deliveries: ['deliveries'],
    escrow: ['escrow_nodes'],
    tasks: ['task_parties'],
  },
  quotes: {
    accounts: ['account_wallets', 'accounts'],
    agents: ['agents'],
    tasks: ['tasks'],
  },
  receipts: {
    agents: ['agents'],
    escrow: ['escrow_nodes'],
    tasks: ['tasks'],
  },
  reputation: {
    accounts: ['account_wallets', 'accounts'],
    agents: ['agents'],
    tasks: ['tasks'],
  },
  'sign-in': {
    accounts: ['account_wallets', 'accounts'],
  },
  signing: {
    agents: ['agents'],
    escrow: ['escrow_nodes'],
    'prepared-actions': ['prepared_actions'],
    quotes: ['quotes'],
    receipts: ['receipts'],
    tasks: ['tasks'],
  },
};

/** A table belongs to the module that has its entity. */
const owners = ownersOf(files);
const tables = new Set(owners.keys());
/** Programs of operators and developers are above all modules and may read any table, so they are left out. */
const accesses = files
  .filter(({ path }) => partOf(path) !== undefined && !path.includes('/migrations/'))
  .flatMap((file) => accessesOf(file, tables));
const foreign = accesses.filter(({ path, table }) => partOf(path) !== owners.get(table));

function readersTable(): Record<string, Record<string, string[]>> {
  const found: Record<string, Record<string, string[]>> = {};
  for (const { path, table } of foreign) {
    const named = ((found[partOf(path) ?? ''] ??= {})[owners.get(table) ?? ''] ??= []);
    if (!named.includes(table)) named.push(table);
  }
  for (const of of Object.values(found)) for (const named of Object.values(of)) named.sort((a, b) => (a < b ? -1 : 1));
  return found;
}

/** Cycles of parts that read each other's tables, each cycle once. */
function circles(): string[][] {
  const table = readersTable();
  const reached = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [from];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const owner of Object.keys(table[next] ?? {})) {
        if (seen.has(owner)) continue;
        seen.add(owner);
        open.push(owner);
      }
    }
    return seen;
  };
  const found = new Map<string, string[]>();
  for (const reader of Object.keys(table)) {
    const circle = [...reached(reader)]
      .filter((other) => reached(other).has(reader))
      .toSorted((a, b) => (a < b ? -1 : 1));
    if (circle.length > 0) found.set(circle.join(' '), circle);
  }
  return [...found.values()];
}

describe('the tables', () => {
  it('are found in the SQL of the program, each with an owner', () => {
    expect(tables.size).toBeGreaterThan(50);
    expect(new Set(accesses.map(({ table }) => table)).size).toBeGreaterThan(40);
    expect(
      accessesOf(
        {
          path: 'src/modules/x/y.ts',
          imports: [],
          text: 'DELETE FROM a USING b, c d; UPDATE d SET x = 1; COPY e (x) FROM STDIN',
        },
        new Set('abcde'),
      ),
    ).toEqual([
      { path: 'src/modules/x/y.ts', table: 'b', isWrite: false },
      { path: 'src/modules/x/y.ts', table: 'c', isWrite: false },
      { path: 'src/modules/x/y.ts', table: 'a', isWrite: true },
      { path: 'src/modules/x/y.ts', table: 'd', isWrite: true },
      { path: 'src/modules/x/y.ts', table: 'e', isWrite: true },
    ]);
  });

  it('are written by their owners alone', () => {
    expect(foreign.filter(({ isWrite }) => isWrite).map(({ path, table }) => `${path} writes ${table}`)).toEqual([]);
  });

  it('are read by others as this table says', () => {
    expect(readersTable()).toEqual(READERS);
  });

  it('are read in no circle', () => {
    expect(circles()).toEqual([]);
  });
});
