import type { ActionFields, TypedData, WireNodeState } from '#libs/contracts';
import type { Hex } from '#libs/kernel';
import type { Scope } from '../auth/scope.js';
import type { MessageMembers } from './typed-message.js';

/** Who asks for an action on what. Path members only: nothing of a body decides anything but the digest. */
export interface ActionIntent {
  readonly accountId: string;
  readonly taskId: string;
  readonly nodeId: string;
  /** Digest of the request body (design/interface.md §8). */
  readonly requestDigest: Hex;
}

/** An action that the index allows. Nothing is locked and nothing stored yet. */
export interface CheckedAction {
  readonly taskId: string;
  readonly nodeId: string | null;
  readonly escrowAddress: Hex;
  /** EIP-55 wallet that must sign or send. */
  readonly signer: Hex;
  /** Call data for `signer` itself to send, without a signature. */
  callData(fields: ActionFields): Hex;
  /**
   * Asks the chain's latest state once, and returns what makes the typed data from it.
   * @throws ApiError with a 409 code when the chain is ahead of the index and no longer allows the action;
   * `service_unavailable` when the chain cannot be asked.
   */
  confirm(): Promise<(fields: ActionFields) => TypedData>;
}

/** Everything that one kind of action has of its own. */
export interface PreparedKind {
  /** The scope that prepares it (spec: Authentication, Scopes). */
  readonly scope: Scope;
  /**
   * Reads the index in the fixed order of design/interface.md §7: visibility, role, state.
   * @throws ApiError `not_found`, a 403 code, a 409 code.
   */
  check(intent: ActionIntent): Promise<CheckedAction>;
  /** True when a node in this state (null: no such node any more) can no longer take the action. */
  isSupersededBy(nodeState: WireNodeState | null): boolean;
  /** What signing does, in one sentence made from the typed message alone; the task's own words never enter it. */
  sentence(message: MessageMembers): string;
}
