import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stdout } from 'node:process';

/** A bar, the measured figure, and whether it passed. */
export interface Gate {
  name: string;
  measured: string;
  bar: string;
  passed: boolean;
}

/** The report of an evaluation: printed to stdout line by line, and saved as one Markdown file. */
export class Report {
  private readonly lines: string[] = [];

  constructor(title: string) {
    this.line(`# ${title}`);
  }

  line(text = ''): void {
    this.lines.push(text);
    stdout.write(`${text}\n`);
  }

  /** Adds a Markdown table. Columns are padded for the terminal, and all but the first are right-aligned. */
  table(head: readonly string[], rows: readonly (readonly string[])[]): void {
    const widths = head.map((title, column) =>
      Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
    );
    const padded = (cells: readonly string[]): string =>
      `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
    this.line();
    this.line(padded(head));
    this.line(
      `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`,
    );
    for (const row of rows) this.line(padded(row));
    this.line();
  }

  /** Adds the table of bars; returns false when one is missed. */
  gates(gates: readonly Gate[]): boolean {
    this.line();
    this.line('## Bars');
    this.table(
      ['Bar', 'Measured', 'Must be', 'Verdict'],
      gates.map(({ name, measured, bar, passed }) => [name, measured, bar, passed ? 'met' : 'MISSED']),
    );
    return gates.every(({ passed }) => passed);
  }

  save(path: string): void {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${this.lines.join('\n')}\n`);
    stdout.write(`Written to ${path}\n`);
  }
}
