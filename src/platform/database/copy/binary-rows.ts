/** Identifies Postgres' binary COPY format, version 1; flags and a header extension, both empty, follow. */
const HEADER = Buffer.from('PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0', 'latin1');
/** Where a row would say how many fields it has, -1 says that no row follows. */
const END = -1;
/** In place of the length of a value: the value is null. */
const NULL = -1;
const FIRST_BYTES = 65_536;
/** Postgres counts from 2000-01-01, in microseconds. */
const EPOCH_SECONDS = 946_684_800;
const MICROSECONDS = 1_000_000n;
const JSONB_VERSION = '\u0001';

/**
 * Rows in the binary format that COPY reads, in which Postgres need not parse numbers, times or escapes. Each row is
 * begun with `row`, and then has one call a column, in the order and with the types of the columns of the statement;
 * Postgres refuses rows whose number of fields differs.
 */
export class BinaryRows {
  private bytes = Buffer.allocUnsafe(FIRST_BYTES);
  private length = 0;

  constructor() {
    this.length = HEADER.copy(this.bytes);
  }

  /** Begins a row of `fields` values, at most 32,767. */
  row(fields: number): this {
    this.reserve(2);
    this.length = this.bytes.writeInt16BE(fields, this.length);
    return this;
  }

  /** @throws RangeError when the number is not a whole one of 32 bits. */
  integer(value: number): this {
    if (!Number.isInteger(value)) throw new RangeError(`Not a whole number: ${value}`);
    this.reserve(8);
    this.length = this.bytes.writeInt32BE(4, this.length);
    this.length = this.bytes.writeInt32BE(value, this.length);
    return this;
  }

  /** Lone surrogates become U+FFFD. Postgres refuses a text that contains NUL. */
  text(value: string | null): this {
    if (value === null) return this.null();
    this.value('', value);
    return this;
  }

  /** @param seconds unix time, a whole number. @throws RangeError when it is not one. */
  timestamp(seconds: number): this {
    this.reserve(12);
    this.length = this.bytes.writeInt32BE(8, this.length);
    this.length = this.bytes.writeBigInt64BE(BigInt(seconds - EPOCH_SECONDS) * MICROSECONDS, this.length);
    return this;
  }

  /** @param json the text of a JSON value, which Postgres checks. */
  jsonb(json: string): this {
    this.value(JSONB_VERSION, json);
    return this;
  }

  /** Ends the rows. Returns everything; no row may follow. */
  finish(): Buffer {
    this.reserve(2);
    this.length = this.bytes.writeInt16BE(END, this.length);
    return this.bytes.subarray(0, this.length);
  }

  private null(): this {
    this.reserve(4);
    this.length = this.bytes.writeInt32BE(NULL, this.length);
    return this;
  }

  /** Writes the length of a value and the value: `front`, then `text`. */
  private value(front: string, text: string): void {
    // No UTF-16 unit takes more than three bytes of UTF-8.
    this.reserve(4 + (front.length + text.length) * 3);
    const begin = this.length + 4;
    let end = begin;
    if (front !== '') end += this.bytes.write(front, end, 'utf8');
    end += this.bytes.write(text, end, 'utf8');
    this.bytes.writeInt32BE(end - begin, this.length);
    this.length = end;
  }

  private reserve(more: number): void {
    const needed = this.length + more;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}
