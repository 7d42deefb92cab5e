import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Number of agents whose words are computed by one statement. */
const AT_ONCE = 1_000;

const UPDATE = `UPDATE agents SET capability_words = made.words
  FROM (
    SELECT id, ARRAY(
      SELECT to_tsvector('english', text) FROM json_array_elements_text(texts) WITH ORDINALITY AS own (text, place)
      ORDER BY place
    ) AS words
    FROM unnest($1::text[], $2::json[]) AS listed (id, texts)
  ) AS made
  WHERE agents.id = made.id`;

/** Stores the words of each capability separately, so that a match can name the capabilities that it is for. */
export class CapabilityWords1700000000012 implements MigrationInterface {
  readonly name = 'CapabilityWords1700000000012';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE agents ADD COLUMN capability_words tsvector[] NOT NULL DEFAULT '{}'`);
    for (let last = ''; ;) {
      const agents: { id: string; capabilities: string[] }[] = await runner.query(
        `SELECT id, capabilities FROM agents WHERE id > $1 AND capabilities <> '{}' ORDER BY id LIMIT ${AT_ONCE}`,
        [last],
      );
      const newest = agents.at(-1);
      if (newest === undefined) return;
      const texts = agents.map(({ capabilities }) => JSON.stringify(capabilities.map(searchable)));
      await runner.query(UPDATE, [agents.map(({ id }) => id), texts]);
      last = newest.id;
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE agents DROP COLUMN capability_words');
  }
}

/** The same as in agents/agent/searchable-text.ts when this migration was written. */
function searchable(text: string): string {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_/.:-]+/g, ' ');
}
