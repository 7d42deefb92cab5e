/** A row as logical decoding hands it out, each value as text. */
export interface DecodedRow {
  readonly table: string;
  readonly row: Record<string, string | null>;
}

interface Relation {
  readonly name: string;
  readonly columns: readonly string[];
}

/**
 * The inserted rows among messages of the plugin `pgoutput`, protocol 1
 * (https://www.postgresql.org/docs/18/protocol-logicalrep-message-formats.html). Deletions and updates are errors here.
 */
export function insertsOf(messages: readonly Buffer[]): DecodedRow[] {
  const relations = new Map<number, Relation>();
  return messages.flatMap((message) => {
    const reader = new MessageReader(message);
    const kind = reader.letter();
    switch (kind) {
      case 'R': {
        const [oid, relation] = relationOf(reader);
        relations.set(oid, relation);
        return [];
      }
      case 'I': {
        const { name, columns } = relations.get(reader.int32())!;
        reader.letter();
        return [{ table: name, row: rowOf(reader, columns) }];
      }
      case 'B':
      case 'C':
        return [];
      default:
        throw new Error(`Decoding has told something else than inserts: ${kind}`);
    }
  });
}

function relationOf(reader: MessageReader): [number, Relation] {
  const oid = reader.int32();
  reader.text();
  const name = reader.text();
  reader.letter();
  const columns = Array.from({ length: reader.int16() }, () => {
    reader.letter();
    const column = reader.text();
    reader.int32();
    reader.int32();
    return column;
  });
  return [oid, { name, columns }];
}

function rowOf(reader: MessageReader, columns: readonly string[]): Record<string, string | null> {
  const count = reader.int16();
  return Object.fromEntries(
    columns.slice(0, count).map((column) => [column, reader.letter() === 't' ? reader.bytes(reader.int32()) : null]),
  );
}

class MessageReader {
  private at = 0;

  constructor(private readonly message: Buffer) {}

  letter(): string {
    return this.bytes(1);
  }

  int16(): number {
    this.at += 2;
    return this.message.readInt16BE(this.at - 2);
  }

  int32(): number {
    this.at += 4;
    return this.message.readInt32BE(this.at - 4);
  }

  bytes(length: number): string {
    this.at += length;
    return this.message.toString('utf8', this.at - length, this.at);
  }

  /** A text that ends with a zero. */
  text(): string {
    const end = this.message.indexOf(0, this.at);
    const text = this.bytes(end - this.at);
    this.at += 1;
    return text;
  }
}
