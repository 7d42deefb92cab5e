import type { Hex } from '#libs/notation';
import { type ActionKind, holdsOnceSigned } from '#libs/prepared-action';
import { PLANS } from './action-plans.js';
import type { ActionRequest } from './action-request.js';
import { signedCall, writeAction } from './action-writing.js';
import type { FakeAction, MarketState, Schemas } from '../state/market-state.js';
import { Refusal } from '../document/refusal.js';

/** Where a test can bring an action. */
export type SettledStatus =
  | 'opened'
  | 'signed'
  | 'submitted'
  | 'confirmed'
  | 'final'
  | 'failed'
  | 'declined'
  | 'expired'
  | 'superseded';

/** The way of an action that is executed. */
const WAY: readonly string[] = ['signed', 'submitted', 'confirmed', 'final'];
const BEFORE: readonly string[] = ['prepared', 'opened'];

/** Prepared actions, and what becomes of them. */
export class ActionBook {
  constructor(private readonly state: MarketState) {}

  /** Throws Refusal where the state of the market does not allow it. */
  prepare(
    kind: ActionKind,
    request: ActionRequest,
    scope: string,
  ): { action: FakeAction; delivery?: Schemas['Delivery'] } {
    const { state } = this;
    const { delivery, effect, ...planned } = PLANS[kind](request);
    const actionId = state.id('act');
    const plan = { kind, actionId, principal: request.party, body: request.body, nowSeconds: state.nowSeconds() };
    const signingPath = `/sign/${actionId.slice(4).padStart(43, 'A')}`;
    const prepared = writeAction({ ...plan, ...planned, signingPath }, state.deployment);
    const record = { ...prepared, status: 'prepared' } as Schemas['Action'];
    const { task } = planned;
    const createdAt = state.instant();
    const action: FakeAction = { owner: request.party, record, prepared, kind, scope, task, effect, createdAt };
    state.actions.push(action);
    this.tell(action, 'prepared');
    return { action, ...(delivery === undefined ? {} : { delivery }) };
  }

  /** Takes a signature: any, because a fake market knows no keys. */
  sign(action: FakeAction, signature: Hex): void {
    this.expire(action);
    if (![...BEFORE, 'signed'].includes(action.record.status)) throw new Refusal('state_conflict');
    const call = signedCall(action.prepared, signature, action.task, this.state.deployment);
    if (call !== null) action.record.transaction = call;
    if (action.record.status !== 'signed') this.settle(action, 'signed');
  }

  /** Says no, which can be said again. */
  decline(action: FakeAction): void {
    this.expire(action);
    const { record } = action;
    if (record.status === 'declined') return;
    if (![...BEFORE, 'failed'].includes(record.status) || record.transaction !== undefined)
      throw new Refusal('state_conflict');
    record.declined_by = 'credential';
    this.move(action, 'declined');
  }

  /** Throws Error where an action that has ended would come to life again. */
  settle(action: FakeAction, to: SettledStatus): void {
    const { status } = action.record;
    const at = WAY.indexOf(status);
    const isOver = status === 'final' ? to !== 'final' : at < 0 && !BEFORE.includes(status);
    if (isOver || (to === 'opened' && at >= 0)) throw new Error(`The action is ${status}`);
    if (!WAY.includes(to)) return this.move(action, to);
    const isKept = holdsOnceSigned(action.kind);
    const steps = WAY.slice(at + 1, (isKept ? 0 : WAY.indexOf(to)) + 1);
    for (const step of steps) {
      this.move(action, step);
      if (step === (isKept ? 'signed' : 'confirmed')) this.hold(action);
    }
  }

  /** An action whose time is over has expired, once somebody looks. */
  expire(action: FakeAction): void {
    const isOver = Date.parse(action.record.expires_at) <= this.state.nowMs();
    if (isOver && BEFORE.includes(action.record.status)) this.move(action, 'expired');
  }

  private hold({ prepared, task, effect }: FakeAction): void {
    task.usedNonces.add(`${prepared.wallet_address?.toLowerCase()} ${prepared.nonce}`);
    effect();
  }

  private move(action: FakeAction, to: string): void {
    const { record } = action;
    const from = record.status;
    record.status = to;
    if (to === 'submitted') record.transaction_hash ??= this.state.hash();
    this.tell(action, to === 'final' ? 'finalized' : to, from);
  }

  private tell({ record, owner, task }: FakeAction, name: string, from?: string): void {
    const { action_id, kind, node_id, expires_at, transaction_hash, status: to } = record;
    this.state.tell(
      `action.${name}` as 'action.prepared',
      { kind: 'action', id: action_id, task_id: task.record.id },
      {
        status: from === undefined ? { to } : { from, to },
        kind,
        expires_at,
        ...(node_id === undefined ? {} : { node_id }),
        ...(transaction_hash === undefined ? {} : { transaction_hash }),
      },
      [owner],
    );
  }
}
