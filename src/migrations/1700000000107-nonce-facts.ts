import type { MigrationInterface, QueryRunner } from 'typeorm';

/** `ROOT_PAYMENT` of escrow.sql-views.ts when this migration was written. */
const ROOT_PAYMENT = `fact->>'type' = 'NodeFunded' AND (fact->>'nodeId')::numeric < 16777216`;

const INDEXES: Readonly<Record<string, string>> = {
  chain_facts_used_nonce_idx: `(task_id, (fact->>'signer'), (fact->>'nonce')) WHERE fact->>'type' = 'ActionConsumed'`,
  chain_facts_cancelled_idx: `(task_id, (fact->>'signer'), (fact->>'word'), block_number, log_index)
    WHERE fact->>'type' = 'NoncesInvalidated'`,
  chain_facts_root_paid_idx: `(task_id, (fact->>'nodeId')) WHERE ${ROOT_PAYMENT}`,
  chain_facts_terms_paid_idx: `(task_id, (fact->>'termsHash'), block_number, log_index) WHERE ${ROOT_PAYMENT}`,
};

/** Few enough for the time that a statement has. */
const AT_ONCE = 5_000;

interface Cancellation {
  task_id: string;
  signer: string;
  word: string;
  mask: string;
  block_number: number;
  log_index: number;
}

const NEXT = `SELECT task_id, fact->>'signer' AS signer, fact->>'word' AS word, fact->>'mask' AS mask, block_number, log_index
  FROM chain_facts WHERE fact->>'type' = 'NoncesInvalidated'
    AND (task_id, fact->>'signer', fact->>'word', block_number, log_index) > ($1, $2, $3, $4::integer, $5::integer)
  ORDER BY 1, 2, 3, 5, 6 LIMIT ${AT_ONCE}`;

const SET = `UPDATE chain_facts fact SET cancelled_mask = one.mask
  FROM unnest($1::integer[], $2::integer[], $3::text[]) AS one (block_number, log_index, mask)
  WHERE fact.block_number = one.block_number AND fact.log_index = one.log_index`;

/** Finds of a tree what decides about one action, however many other facts the tree has. */
export class NonceFacts1700000000107 implements MigrationInterface {
  readonly name = 'NonceFacts1700000000107';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chain_facts ADD COLUMN cancelled_mask text');
    for (const [name, columns] of Object.entries(INDEXES)) {
      await runner.query(`CREATE INDEX ${name} ON chain_facts ${columns}`);
    }
    let [behind, mask] = [null as Cancellation | null, 0n];
    for (let found = AT_ONCE; found === AT_ONCE;) {
      const { task_id: task, signer, word, block_number: block, log_index: log } = behind ?? BEFORE_ALL;
      const rows = (await runner.query(NEXT, [task, signer, word, block, log])) as Cancellation[];
      const masks = rows.map((row) => {
        mask = (isOfOneWord(row, behind) ? mask : 0n) | BigInt(row.mask);
        behind = row;
        return mask.toString();
      });
      await runner.query(SET, [rows.map((row) => row.block_number), rows.map((row) => row.log_index), masks]);
      found = rows.length;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX ${name}`);
    await runner.query('ALTER TABLE chain_facts DROP COLUMN cancelled_mask');
  }
}

const BEFORE_ALL = { task_id: '', signer: '', word: '', block_number: 0, log_index: 0 };

function isOfOneWord(one: Cancellation, other: Cancellation | null): boolean {
  return one.task_id === other?.task_id && one.signer === other.signer && one.word === other.word;
}
