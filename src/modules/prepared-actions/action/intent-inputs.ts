/** Inputs that more than one kind takes. A kind with an input of its own declares it in its own file. */

/** An action on a node, named by the path. */
export interface NodeInput {
  readonly taskId: string;
  readonly nodeId: string;
}

/** The review of delivered work by whoever hired for it. */
export interface ReviewInput {
  readonly taskId: string;
  /** Null: the deciding root node of the task, which the buyer reviews. */
  readonly nodeId: string | null;
}
