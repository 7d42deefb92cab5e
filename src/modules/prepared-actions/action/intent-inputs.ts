/** Inputs that more than one kind takes. A kind with an input of its own declares it in its own file. */

/** An action on a node, named by the path. */
export interface NodeInput {
  readonly taskId: string;
  readonly nodeId: string;
}

/** The review of delivered work by whoever hired for it. */
export interface ReviewInput {
  readonly taskId: string;
  /** The child node that the path names; null: a root node of the task, which the buyer reviews. */
  readonly nodeId: string | null;
  /** Which root node the body names; absent: the deciding one. Only where `nodeId` is null. */
  readonly rootNodeId?: string;
}
