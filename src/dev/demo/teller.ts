/** The demo's books or checks do not hold: shown as one line, exit code 1. */
export class DemoMismatch extends Error {
  override readonly name = 'DemoMismatch';
}

/** Who carries a step out: the HTTP interface, or the contract through the service's own bindings. */
export type Means = 'http' | 'contract';

/** Writes the demo's story, a numbered line per step. */
export class Teller {
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

  /** A step that is done. @param proof a transaction hash, a request line, an id. */
  step(means: Means, text: string, proof = ''): void {
    this.steps += 1;
    const mark = means === 'contract' ? '*' : ' ';
    this.write(`  ${String(this.steps).padStart(2)} ${this.paint(32, '✓')}${mark} ${text}`);
    if (proof !== '') this.write(`        ${this.paint(2, proof)}`);
  }

  /** Something that was tried and has to fail. */
  refusal(text: string): void {
    this.write(`       ${this.paint(33, '✗')} ${text}`);
  }

  private paint(code: number, text: string): string {
    return this.colour ? `\u001b[${code}m${text}\u001b[0m` : text;
  }
}

/** Throws DemoMismatch unless it holds. */
export function expectThat(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new DemoMismatch(otherwise);
}
