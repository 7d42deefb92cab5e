import { type DataSource, type EntityManager, In } from 'typeorm';
import {
  checksumAddress,
  type ChainedFact,
  factFromJson,
  InconsistentFactsError,
  projectTree,
  type TreeLedger,
  type TreeProjection,
} from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import { EscrowNodeEntity } from '../node/escrow-node.entity.js';
import { EscrowTreeEntity } from '../escrow-tree.entity.js';
import { ChainFactEntity } from '../indexed-chain/chain-fact.entity.js';
import type { StoredBlock } from '../indexed-chain/index-store.js';
import { UnpublishedTreeEntity } from '../publication/unpublished-tree.entity.js';
import type { IndexedNode, IndexedTree } from './tree-ledger.js';

/** A tree of the index, and its escrow address on the chain. */
export interface AddressedTree {
  readonly tree: IndexedTree;
  readonly escrowAddress: Hex;
}

/** Some tasks as the index had them at one moment. */
export interface IndexPage {
  /** The newest indexed block at that moment; null when none was indexed. */
  readonly tip: StoredBlock | null;
  /**
   * Number of the page's tasks whose newest facts were not published yet, as while the index catches up; tasks with
   * failed attempts are not counted.
   */
  readonly waiting: number;
  /** In the order of task ids. */
  readonly trees: readonly AddressedTree[];
}

interface TaskRow {
  id: string;
  escrow_address: string;
  buyer_wallet: string;
}

/**
 * Reads the index for a comparison, page by page. Each page is a snapshot of the database, whatever is indexed
 * meanwhile.
 */
export class IndexedTrees {
  constructor(private readonly dataSource: DataSource) {}

  /** Reads up to `count` tasks with ids greater than `after`, including tasks without a tree. */
  page(after: string, count: number): Promise<IndexPage> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      await manager.query('SET TRANSACTION READ ONLY');
      const tip = await newestBlock(manager);
      const tasks = await manager.query<TaskRow[]>(
        'SELECT id, escrow_address, buyer_wallet FROM tasks WHERE id > $1 ORDER BY id LIMIT $2',
        [after, count],
      );
      const ids = tasks.map(({ id }) => id);
      const where = { taskId: In(ids) };
      const waiting = await manager.countBy(UnpublishedTreeEntity, { ...where, attempts: 0 });
      const books = groupedBy(await manager.find(EscrowTreeEntity, { where }), ({ taskId }) => taskId);
      const nodes = await manager.find(EscrowNodeEntity, { where, order: { taskId: 'ASC', path: 'ASC' } });
      const order = { taskId: 'ASC', blockNumber: 'ASC', logIndex: 'ASC' } as const;
      const facts = groupedBy(await manager.find(ChainFactEntity, { where, order }), ({ taskId }) => taskId);
      const nodesOf = groupedBy(nodes, ({ taskId }) => taskId);
      const trees = tasks.map((task) => {
        const [ledger = null] = books.get(task.id) ?? [];
        return treeOf(task, ledger, nodesOf.get(task.id) ?? [], facts.get(task.id) ?? []);
      });
      return { tip, waiting, trees };
    });
  }
}

async function newestBlock(manager: EntityManager): Promise<StoredBlock | null> {
  const [row] = await manager.query<{ number: number; hash: string }[]>(
    'SELECT number, hash FROM chain_blocks ORDER BY number DESC LIMIT 1',
  );
  return row === undefined ? null : { number: row.number, hash: asHex(row.hash) };
}

function treeOf(
  { id: taskId, escrow_address: escrowAddress, buyer_wallet: buyerWallet }: TaskRow,
  books: TreeLedger | null,
  nodes: readonly EscrowNodeEntity[],
  facts: readonly ChainFactEntity[],
): AddressedTree {
  const projection = folded(facts);
  const tree = {
    taskId,
    books,
    nodes: nodes.map(nodeOf),
    facts: projection && {
      books: projection.ledger,
      refunds: refundsOf(projection, checksumAddress(buyerWallet)),
      funded: projection.nodes.map(({ path }) => path),
    },
  };
  return { tree, escrowAddress: checksumAddress(escrowAddress) };
}

function nodeOf(row: EscrowNodeEntity): IndexedNode {
  return {
    path: row.path,
    worker: row.workerWallet,
    pool: row.pool,
    allocated: row.allocated,
    floor: row.floor,
    version: row.version,
    revisions: row.revisions,
    maxRevisions: row.maxRevisions,
    payOut: row.payOut,
    deliverBy: row.deliveryDeadline.getTime() / 1000,
    clock: row.clock.getTime() / 1000,
    acceptWindow: row.acceptWindowSeconds,
    state: row.state,
    outcome: row.outcome,
    hirerFunded: row.hirerFunded,
    artifactHash: row.artifactHash,
  };
}

/** The tree that the facts project; null when there are no facts or they are inconsistent. */
function folded(rows: readonly ChainFactEntity[]): TreeProjection | null {
  if (rows.length === 0) return null;
  try {
    return projectTree(rows.map(factOf));
  } catch (error) {
    if (error instanceof InconsistentFactsError) return null;
    throw error;
  }
}

function factOf(row: ChainFactEntity): ChainedFact {
  return {
    fact: factFromJson(row.fact),
    blockNumber: row.blockNumber,
    blockHash: asHex(row.blockHash),
    blockTime: row.blockTime.getTime() / 1000,
    logIndex: row.logIndex,
    transactionHash: asHex(row.transactionHash),
  };
}

/** Refundable base units by account, according to the facts, for everyone who ever hired or worked. */
function refundsOf({ nodes, refundOf }: TreeProjection, buyer: Hex): Map<string, bigint> {
  const accounts = new Set([buyer, ...refundOf.keys(), ...nodes.flatMap(({ worker, hirer }) => [worker, hirer])]);
  return new Map([...accounts].map((account) => [account, refundOf.get(account) ?? 0n]));
}

function groupedBy<T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const group = groups.get(key(row));
    if (group === undefined) groups.set(key(row), [row]);
    else group.push(row);
  }
  return groups;
}

function asHex(text: string): Hex {
  if (!isHex(text)) throw new TypeError('Expected 0x and whole hexadecimal bytes');
  return text;
}
