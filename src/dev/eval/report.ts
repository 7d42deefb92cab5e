import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stdout } from 'node:process';

/** A bar that a figure has to reach. */
export interface Gate {
  name: string;
  measured: string;
  bar: string;
  passed: boolean;
}

/** What an evaluation found: written to stdout as it comes, and kept as one Markdown file. */
export class Report {
  private readonly lines: string[] = [];

  constructor(title: string) {
    this.line(`# ${title}`);
  }

  line(text = ''): void {
    this.lines.push(text);
    stdout.write(`${text}\n`);
  }

  /** A table in Markdown, its columns padded so that it reads as well in a terminal; numbers stand to the right. */
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

  /** The bars as a table; false when one of them is missed. */
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
