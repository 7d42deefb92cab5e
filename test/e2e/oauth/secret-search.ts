import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** A place where a secret was found, with the secret's name and never its value. */
export interface Finding {
  secret: string;
  place: string;
}

/** The secrets that a run has used, by name, which nobody may find afterwards. */
export class Secrets {
  private readonly known = new Map<string, string>();

  /** Remembers a secret. Short ones are refused, because they would be found by chance. */
  add(name: string, value: string | null | undefined): void {
    if (!value || value.length < 16) throw new Error(`${name} is no secret: ${value ?? 'it is missing'}`);
    this.known.set(`${name} #${this.known.size + 1}`, value);
  }

  get count(): number {
    return this.known.size;
  }

  /** Finds secrets in a text, plainly or as they appear in JSON bytes, URLs or hexadecimal. */
  in(text: string, place: string): Finding[] {
    const lower = text.toLowerCase();
    return this.forms
      .filter(({ form, isHex }) => (isHex ? lower.includes(form) : text.includes(form)))
      .map(({ secret }) => ({ secret, place }));
  }

  /**
   * Finds secrets in every column of every table, whatever its type, because rows are searched as Postgres prints them.
   */
  async inDatabase(databaseUrl: string): Promise<Finding[]> {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      const { rows: tables } = await client.query<{ name: string }>(
        `SELECT quote_ident(schemaname) || '.' || quote_ident(tablename) AS name FROM pg_tables
         WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
      );
      const findings: Finding[] = [];
      const forms = this.forms;
      for (const { name } of tables) {
        const { rows } = await client.query<{ number: string }>(
          `SELECT number FROM unnest($1::text[]) WITH ORDINALITY AS needle (form, number)
           WHERE EXISTS (SELECT 1 FROM ${name} AS t WHERE strpos(t::text, needle.form) > 0)`,
          [forms.map(({ form }) => form)],
        );
        for (const { number } of rows) findings.push({ secret: forms[Number(number) - 1]!.secret, place: name });
      }
      return findings;
    } finally {
      await client.end();
    }
  }

  /** Finds secrets in the logs of a folder. */
  inLogs(folder: string): Finding[] {
    const logs = readdirSync(folder).filter((name) => name.endsWith('.log'));
    return logs.flatMap((name) => this.in(readFileSync(join(folder, name), 'utf8'), name));
  }

  /** Each secret as text, as the bytes of the text, and as the bytes that it encodes. */
  private get forms(): { secret: string; form: string; isHex: boolean }[] {
    return [...this.known].flatMap(([secret, value]) => {
      const isHexText = /^0x[0-9a-f]+$/i.test(value);
      const bytes = isHexText ? value.slice(2).toLowerCase() : Buffer.from(value, 'base64url').toString('hex');
      return [
        { secret, form: value, isHex: false },
        { secret, form: encodeURIComponent(value), isHex: false },
        { secret, form: Buffer.from(value, 'utf8').toString('hex'), isHex: true },
        { secret, form: bytes, isHex: true },
      ];
    });
  }
}
