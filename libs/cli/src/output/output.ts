import type { Fault } from './cli-error.js';
import { plain, plainJson } from './plain-text.js';
import { type Column, textRecord, textTable } from './text-table.js';

/** Where text goes. */
export interface TextSink {
  readonly isTTY: boolean;
  /** Characters of a line; 0 or absent: not known. */
  readonly columns?: number | undefined;
  write(text: string): void;
}

const DEFAULT_COLUMNS = 100;
const STYLES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39] } as const;
export type Style = keyof typeof STYLES;

/**
 * What a command says: to a person as text, to a program as JSON. Answers go to `out`; notes and faults to `err`, so that
 * what is piped is the answer alone.
 */
export class Output {
  constructor(
    private readonly out: TextSink,
    private readonly err: TextSink,
    /** True: a person reads it. */
    readonly isHuman: boolean,
    private readonly hasColour: boolean,
  ) {}

  /** One answer: the value, or these lines for a person. */
  answer(value: unknown, lines: () => readonly string[]): void {
    this.out.write(this.isHuman ? joined(lines()) : `${plainJson(value, 2)}\n`);
  }

  /** One answer, for a person with a line for each of these. */
  record(value: unknown, entries: readonly (readonly [name: string, value: unknown])[]): void {
    this.answer(value, () => textRecord(entries));
  }

  /** A list: an array, or a table for a person. */
  table<T>(rows: readonly T[], columns: readonly Column<T>[], none = 'None.'): void {
    this.answer(rows, () => {
      if (rows.length === 0) return [none];
      const [headings = '', ...lines] = textTable(rows, columns, this.out.columns || DEFAULT_COLUMNS);
      return [this.styled('dim', headings), ...lines];
    });
  }

  /** One item of a stream: a line of JSON (NDJSON), or this line for a person. */
  item(value: unknown, line: () => string): void {
    this.out.write(`${this.isHuman ? line() : plainJson(value)}\n`);
  }

  /** The answer as it is, such as a script. */
  raw(text: string): void {
    this.out.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  /** What helps a person and is no part of the answer. */
  note(text: string): void {
    if (this.isHuman) this.err.write(`${text}\n`);
  }

  /** What both must know, and is no part of the answer. */
  warn(text: string): void {
    this.err.write(this.isHuman ? `${this.styled('yellow', '!')} ${text}\n` : `${plainJson({ warning: text })}\n`);
  }

  fault({ exit, what, why, advice, code, requestId }: Fault): void {
    if (!this.isHuman) {
      const error = { what, why, advice, code, request_id: requestId, exit_code: exit };
      this.err.write(`${plainJson({ error })}\n`);
      return;
    }
    const rows = textRecord([
      ['why', why],
      ['do this', advice],
      ['code', code],
      ['request', requestId],
    ]);
    this.err.write(joined([`${this.styled('red', '✗')} ${plain(what)}`, ...rows.map((row) => `  ${row}`)]));
  }

  styled(style: Style, text: string): string {
    const [on, off] = STYLES[style];
    return this.hasColour ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  }
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
