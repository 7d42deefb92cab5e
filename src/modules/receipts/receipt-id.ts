/** The id of the receipt of a settled node: the node's, with another prefix, so that an index made anew gives it again. */
export function receiptIdOf(nodeId: string): string {
  return nodeId.replace(/^node_/, 'rcpt_');
}
