import type { AccountCall } from '#libs/contracts';
import type { PreparedActionEntity } from '../../prepared-actions/action/prepared-action.entity.js';

/** The calls that were prepared for an action: those of its bundle, or its one transaction; empty when it needs a signature. */
export function payloadCalls({
  payload: { transaction, calls },
}: Pick<PreparedActionEntity, 'payload'>): AccountCall[] {
  const prepared: unknown[] = Array.isArray(calls) ? calls : [transaction];
  return prepared.flatMap(callIn);
}

/** Reads a call; empty when the value is no call. */
export function callIn(call: unknown): AccountCall[] {
  if (typeof call !== 'object' || call === null || !('to' in call) || !('data' in call)) return [];
  return [{ to: String(call.to), data: String(call.data), value: 'value' in call ? String(call.value) : '0x0' }];
}
