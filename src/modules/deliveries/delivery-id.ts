/**
 * Id of a delivery. It is computed from the node and the revision, so that a rebuilt index gives every delivery the
 * same id.
 */
export function deliveryIdOf(nodeId: string, revision: number): string {
  return `${nodeId.replace(/^node_/, 'dlv_')}_${revision}`;
}
