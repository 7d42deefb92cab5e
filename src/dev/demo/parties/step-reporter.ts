/** A check or the books of the demo do not hold. Shown as one line; the demo ends with exit code 1. */
export class DemoMismatch extends Error {
  override readonly name = 'DemoMismatch';
}

/** How a step is carried out: by a command line, or past it. */
export type Means = 'command line' | 'past the command line';

/** Writes the steps of the demo, a numbered line per step. */
export class StepReporter {
  private steps = 0;
  private readonly begunMs = performance.now();

  constructor(
    private readonly write: (line: string) => void,
    private readonly colour: boolean,
  ) {}

  get seconds(): string {
    return ((performance.now() - this.begunMs) / 1000).toFixed(1);
  }

  line(text = ''): void {
    this.write(text === '' ? '' : `  ${text}`);
  }

  /** The beginning of a part of the scenario. */
  chapter(text: string): void {
    this.write(`\n  ${this.paint(1, text)}\n`);
  }

  /** A step that is done. @param proof the command line, and what came of it: a transaction hash, an id. */
  step(text: string, proof = '', means: Means = 'command line'): void {
    this.steps += 1;
    const mark = means === 'past the command line' ? '*' : ' ';
    this.write(`  ${String(this.steps).padStart(2)} ${this.paint(32, '✓')}${mark} ${text}`);
    if (proof !== '') this.write(`        ${this.paint(2, proof)}`);
  }

  /** Who waits for what now, in the service's own words (`next`). */
  waits(text: string): void {
    this.write(`       ${this.paint(36, '…')} ${text}`);
  }

  /** Something that was tried and has to fail. */
  refusal(text: string): void {
    this.write(`       ${this.paint(33, '✗')} ${text}`);
  }

  private paint(code: number, text: string): string {
    return this.colour ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}

/** Throws DemoMismatch with the text `otherwise` unless `holds`. */
export function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new DemoMismatch(otherwise);
}
