/** Reads a source text by the ranges that solc's AST gives, which count bytes. */
export class SourceCut {
  /** @param {string} text the source */
  constructor(text) {
    this.bytes = Buffer.from(text, 'utf8');
  }

  /** Byte range of a node, the end excluded. */
  range(node) {
    const [start, length] = node.src.split(':').map(Number);
    return { start, end: start + length };
  }

  start(node) {
    return this.range(node).start;
  }

  end(node) {
    return this.range(node).end;
  }

  /** Range of a statement with the semicolon, which solc leaves out of some. */
  statement(node) {
    const { start, end } = this.range(node);
    return { start, end: this.slice(end, end + 1) === ';' ? end + 1 : end };
  }

  slice(start, end) {
    return this.bytes.subarray(start, end).toString('utf8');
  }

  text(node) {
    const { start, end } = this.range(node);
    return this.slice(start, end);
  }

  /** The whole source with one range replaced. */
  with({ start, end }, replacement) {
    return this.slice(0, start) + replacement + this.slice(end);
  }
}
