import { pathText, readPathText } from './node-path.js';

/** Every identifier on the wire (docs/decisions/interface.md#types-on-the-wire). */
export const IDENTIFIER_PATTERN = /^[A-Za-z0-9_-]{1,128}$/;

const TASK_PATTERN = /^task_([0-7][0-9a-hjkmnp-tv-z]{25})$/;

/** True when the text may be an identifier on the wire. */
export function isIdentifier(text: string): boolean {
  return IDENTIFIER_PATTERN.test(text);
}

/**
 * The identifier of a node, made from its task's and its path in the tree, such as `node_…_1-2`, so that an index rebuilt
 * from the chain gives every node the identifier it had. Throws SyntaxError or RangeError.
 */
export function nodeIdOf(taskId: string, path: bigint): string {
  return nodePrefix(taskId) + pathText(path);
}

/** The path of the node with this identifier; null when it is no identifier of the task's nodes. Throws SyntaxError. */
export function nodePathOf(taskId: string, nodeId: string): bigint | null {
  const prefix = nodePrefix(taskId);
  return nodeId.startsWith(prefix) ? readPathText(nodeId.slice(prefix.length)) : null;
}

function nodePrefix(taskId: string): string {
  const digits = TASK_PATTERN.exec(taskId)?.[1];
  if (digits === undefined) throw new SyntaxError('Not the identifier of a task');
  return `node_${digits}_`;
}
