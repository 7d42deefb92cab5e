/** Inputs that more than one kind takes. A kind with an input of its own declares it in its own file. */

/** An action on a node, named by the path. */
export interface NodeInput {
  readonly taskId: string;
  readonly nodeId: string;
}
