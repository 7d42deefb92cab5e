const FIRST_CAPACITY = 4_096;
const END_OF_LINE = 10;

/**
 * Keeps texts of one line each as consecutive bytes, so that the garbage collector has not a million texts to visit.
 */
export class StringArena {
  private room: Uint8Array;
  private size = 0;

  /** @param capacity bytes that they are expected to take. */
  constructor(capacity = FIRST_CAPACITY) {
    this.room = new Uint8Array(capacity);
  }

  /** Bytes of memory, those without text yet included. */
  get byteLength(): number {
    return this.room.byteLength;
  }

  /** The bytes of all texts, without a copy; they lack what is appended later. */
  get bytes(): Uint8Array {
    return this.room.subarray(0, this.size);
  }

  /**
   * @returns index of the byte where the first of them begins.
   * @throws RangeError for a text of more than one line.
   */
  append(lines: readonly string[]): number {
    const text = `${lines.join('\n')}\n`;
    if (text.split('\n').length !== lines.length + 1) throw new RangeError(`More than ${lines.length} lines: ${text}`);
    const begin = this.size;
    const bytes = Buffer.from(text, 'utf8');
    this.makeRoom(bytes.length);
    this.room.set(bytes, begin);
    this.size += bytes.length;
    return begin;
  }

  /** Appends `lines` lines of another arena, from its byte `begin` on. */
  appendOf(others: StringArena, begin: number, lines: number): void {
    const from = others.room;
    let at = begin;
    for (let missing = lines; missing > 0; at += 1) missing -= Number(from[at] === END_OF_LINE);
    this.makeRoom(at - begin);
    // Byte by byte: for a hundred bytes, a call that copies them takes longer.
    for (let index = begin; index < at; index += 1) this.room[this.size++] = from[index] ?? 0;
  }

  /** Whether the line that begins there is this one. */
  isAt(begin: number, line: string): boolean {
    const end = this.room.indexOf(END_OF_LINE, begin);
    return linesOf(this.room.subarray(begin, end + 1))[0] === line;
  }

  private makeRoom(bytes: number): void {
    if (this.size + bytes <= this.room.length) return;
    const room = new Uint8Array(Math.max(this.size + bytes, 2 * this.room.length));
    room.set(this.room);
    this.room = room;
  }
}

/** The lines that these bytes hold. */
export function linesOf(bytes: Uint8Array): string[] {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8').split('\n').slice(0, -1);
}
