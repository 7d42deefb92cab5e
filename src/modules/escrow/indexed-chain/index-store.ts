import { Injectable } from '@nestjs/common';
import { type EntityManager, In, LessThanOrEqual } from 'typeorm';
import { type ChainedFact, factFromJson, factToJson } from '#libs/contracts';
import { type Hex, isHex } from '#libs/kernel';
import type { BlockHeader } from '../../../platform/chain/rpc/rpc-shapes.js';
import { BinaryRows } from '../../../platform/database/copy/binary-rows.js';
import { copyRows } from '../../../platform/database/copy/copy-rows.js';
import { runWithNext } from '../../../platform/database/transactions.js';
import { forgetFinal } from '../../events/log/chain-events.sql.js';
import { TaskEntity } from '../../tasks/task/task.entity.js';
import { cancelledMasks } from './cancelled-nonces.js';
import { ChainBlockEntity } from './chain-block.entity.js';
import { COPY_FACTS, FACT_COLUMNS } from './copied-facts.sql.js';
import type { TaskFact } from './collect-facts.js';
import { NOTE_ROLLBACK } from '../told/told-trees.sql.js';

/** A block that the index stands on. */
export interface StoredBlock {
  number: number;
  hash: Hex;
}

/** How far below the tip blocks without facts are kept, because a reorganisation could reach them. */
const KEPT_BLOCKS = 1_024;
/** How far below the kept blocks the pruning looks: farther than one step at the head of the chain can advance. */
const PRUNED_WINDOW = 4_096;

/** Reading and writing the record of the chain, which can be rolled back: `chain_blocks` and `chain_facts`. */
@Injectable()
export class IndexStore {
  /** The block up to which the chain is indexed; null when nothing is. */
  async tip(manager: EntityManager): Promise<StoredBlock | null> {
    const [tip] = await this.blocksDownFrom(manager, Number.MAX_SAFE_INTEGER, 1);
    return tip ?? null;
  }

  /** Up to `count` stored blocks from number `from` downwards, newest first. */
  async blocksDownFrom(manager: EntityManager, from: number, count: number): Promise<StoredBlock[]> {
    const rows = await manager.find(ChainBlockEntity, {
      select: { number: true, hash: true },
      where: from === Number.MAX_SAFE_INTEGER ? {} : { number: LessThanOrEqual(from) },
      order: { number: 'DESC' },
      take: count,
    });
    return rows.map(({ number, hash }) => ({ number, hash: asHex(hash) }));
  }

  /**
   * Locks out every other writer of the index until the transaction ends, and returns the index's newest block. Two
   * runners can exist for a moment, while one does not know that it has lost its lock; here they wait for each other.
   */
  async lockTip(manager: EntityManager): Promise<StoredBlock | null> {
    await manager.query('SELECT chain_id FROM chain_identity FOR UPDATE');
    return this.tip(manager);
  }

  /**
   * Rolls the index back to a block: deletes everything above it (null: everything), and notes that it did, so that what
   * was told of those blocks can be taken back. Returns the tasks that had facts there.
   */
  async rollback(manager: EntityManager, to: StoredBlock | null): Promise<string[]> {
    const number = to?.number ?? -1;
    const result: unknown = await manager.query('DELETE FROM chain_facts WHERE block_number > $1 RETURNING task_id', [
      number,
    ]);
    await manager.query('DELETE FROM chain_blocks WHERE number > $1', [number]);
    await runWithNext(manager, NOTE_ROLLBACK, [number]);
    return [...new Set(taskIdsOf(result))];
  }

  /** The tasks that these escrow addresses (EIP-55) belong to; addresses of no task are left out. */
  async tasksOfEscrows(manager: EntityManager, addresses: readonly string[]): Promise<Map<string, string>> {
    if (addresses.length === 0) return new Map();
    const tasks = await manager.find(TaskEntity, {
      select: { id: true, escrowAddress: true },
      where: { escrowAddress: In([...addresses]) },
    });
    return new Map(tasks.map(({ id, escrowAddress }) => [escrowAddress, id]));
  }

  /** Adds blocks and facts above the tip, many in one statement. */
  async append(manager: EntityManager, headers: readonly BlockHeader[], facts: readonly TaskFact[]): Promise<void> {
    await manager.query(
      `INSERT INTO chain_blocks (number, hash, parent_hash, timestamp)
       SELECT number, hash, parent_hash, to_timestamp(seconds)
       FROM unnest($1::integer[], $2::text[], $3::text[], $4::bigint[]) AS block (number, hash, parent_hash, seconds)`,
      [
        headers.map(({ number }) => number),
        headers.map(({ hash }) => hash),
        headers.map(({ parentHash }) => parentHash),
        headers.map(({ timestamp }) => timestamp),
      ],
    );
    for (let from = 0; from < facts.length; from += FACTS_WRITTEN_AT_ONCE) {
      const piece = facts.slice(from, from + FACTS_WRITTEN_AT_ONCE);
      await copyRows(manager, COPY_FACTS, factRows(piece, await cancelledMasks(manager, piece)));
    }
  }

  /** Removes old blocks without facts, and which events came of old blocks: nothing needs them any more. */
  async prune(manager: EntityManager, tip: number): Promise<void> {
    await forgetFinal(manager, tip - KEPT_BLOCKS);
    await manager.query(
      `DELETE FROM chain_blocks block WHERE block.number BETWEEN $1 AND $2
       AND NOT EXISTS (SELECT 1 FROM chain_facts fact WHERE fact.block_number = block.number)`,
      [tip - KEPT_BLOCKS - PRUNED_WINDOW, tip - KEPT_BLOCKS],
    );
  }

  /**
   * All facts of these tasks by task, in chain order and as of one moment. The facts of a single task are fetched in
   * pieces when they are many.
   */
  async factsOf(manager: EntityManager, taskIds: readonly string[]): Promise<Map<string, ChainedFact[]>> {
    const [only] = taskIds;
    const limit = taskIds.length === 1 ? FACTS_AT_ONCE : null;
    const rows = await manager.query<FactRow[]>(`${SELECT_FACTS} LIMIT $2`, [[...taskIds], limit]);
    if (only !== undefined && rows.length === limit) return new Map([[only, await this.manyFactsOf(manager, only)]]);
    const facts = new Map<string, ChainedFact[]>();
    for (const row of rows) {
      const own = facts.get(row.task_id);
      if (own === undefined) facts.set(row.task_id, [factOf(row)]);
      else own.push(factOf(row));
    }
    return facts;
  }

  /** Reads by a cursor, which shows one moment whatever is written meanwhile. */
  private async manyFactsOf(manager: EntityManager, taskId: string): Promise<ChainedFact[]> {
    await manager.query(`DECLARE tree_facts NO SCROLL CURSOR FOR ${SELECT_FACTS}`, [[taskId]]);
    const facts: ChainedFact[] = [];
    for (let rows: FactRow[] | null = null; rows === null || rows.length === FACTS_AT_ONCE;) {
      rows = await manager.query<FactRow[]>(`FETCH ${FACTS_AT_ONCE} FROM tree_facts`);
      for (const row of rows) facts.push(factOf(row));
    }
    await manager.query('CLOSE tree_facts');
    return facts;
  }
}

/** Most facts in one statement: a range may have any number of facts, and a statement has only ten seconds. */
const FACTS_WRITTEN_AT_ONCE = 20_000;

/** Facts in one piece of a tree that has many. */
const FACTS_AT_ONCE = 5_000;

const SELECT_FACTS = `SELECT task_id, fact, block_number, block_hash, extract(epoch FROM block_time)::float8 AS block_time, log_index,
    transaction_hash
  FROM chain_facts WHERE task_id = ANY($1::text[]) ORDER BY task_id, block_number, log_index`;

interface FactRow {
  task_id: string;
  fact: Record<string, unknown>;
  block_number: number;
  block_hash: string;
  /** Unix seconds. */
  block_time: number;
  log_index: number;
  transaction_hash: string;
}

function factOf(row: FactRow): ChainedFact {
  return {
    fact: factFromJson(row.fact),
    blockNumber: row.block_number,
    blockHash: asHex(row.block_hash),
    blockTime: row.block_time,
    logIndex: row.log_index,
    transactionHash: asHex(row.transaction_hash),
  };
}

function factRows(facts: readonly TaskFact[], cancelled: readonly (bigint | null)[]): Buffer {
  const rows = new BinaryRows();
  for (const [place, one] of facts.entries()) {
    const { fact, blockNumber, logIndex, blockHash, blockTime, transactionHash, taskId } = one;
    rows
      .row(FACT_COLUMNS)
      .integer(blockNumber)
      .integer(logIndex)
      .text(blockHash)
      .timestamp(blockTime)
      .text(transactionHash)
      .text(taskId)
      .text(fact.type === 'ActionConsumed' ? fact.actionId : null)
      .jsonb(JSON.stringify(factToJson(fact)))
      .text(cancelled[place]?.toString() ?? null);
  }
  return rows.finish();
}

/** TypeORM answers a DELETE with `[rows, count]`. */
function taskIdsOf(result: unknown): string[] {
  const rows: unknown = Array.isArray(result) ? result[0] : null;
  if (!Array.isArray(rows)) throw new TypeError('Not the answer to a DELETE with RETURNING');
  return rows.map((row: unknown) => {
    if (typeof row !== 'object' || row === null || !('task_id' in row)) throw new TypeError('Not a row with a task');
    return String(row.task_id);
  });
}

function asHex(text: string): Hex {
  if (!isHex(text)) throw new TypeError('Expected 0x and whole hexadecimal bytes');
  return text;
}
