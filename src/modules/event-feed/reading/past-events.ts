/** An event of the log as text, with what it is chosen by. */
export interface PastEvent {
  readonly sequence: number;
  readonly id: string;
  readonly type: string;
  readonly taskId: string | null;
  /** The event as API JSON. */
  readonly document: string;
}

/** Some events of the log in their order, and whether there are more behind them. */
export interface PastEvents {
  readonly events: readonly PastEvent[];
  readonly more: boolean;
}

/** Which of the events that an account may read are wanted. */
export interface EventSelection {
  readonly accountId: string;
  /** Sorted, each once; absent: of all types. */
  readonly types?: readonly string[] | undefined;
  /** Absent: of all tasks. */
  readonly taskId?: string | undefined;
}
