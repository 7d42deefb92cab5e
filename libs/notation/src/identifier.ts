/** Every identifier on the wire (docs/decisions/interface.md#types-on-the-wire). */
export const IDENTIFIER_PATTERN = /^[A-Za-z0-9_-]{1,128}$/;

const TASK_PATTERN = /^task_([0-7][0-9a-hjkmnp-tv-z]{25})$/;
const MAX_NODE_NUMBER = 2 ** 32 - 1;

/** True when the text may be an identifier on the wire. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER_PATTERN.test(text);
}

/**
 * The identifier of a node, made from its task's and its number in the tree (1 … 2^32 − 1), so that an index rebuilt
 * from the chain gives every node the identifier it had. Throws SyntaxError or RangeError.
 */
export function nodeIdOf(taskId: string, nodeNumber: number): string {
  const digits = TASK_PATTERN.exec(taskId)?.[1];
  if (digits === undefined) throw new SyntaxError('Not the identifier of a task');
  if (!Number.isInteger(nodeNumber) || nodeNumber < 1 || nodeNumber > MAX_NODE_NUMBER) {
    throw new RangeError('The number of a node is a positive integer of 32 bits');
  }
  return `node_${digits}_${nodeNumber}`;
}
