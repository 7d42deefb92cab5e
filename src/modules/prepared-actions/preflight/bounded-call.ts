import type { ReadCall } from '../../../platform/chain/chain-client.js';
import { TRIED_GAS } from '../../../platform/chain/foreign-gas.js';
import type { TriedCall } from '../action/prepared-kind.js';

/** The call as it is tried: one that runs contracts of strangers has limited gas, and takes one of its sender's places. */
export function boundedCall({ asksWallets = false, ...call }: TriedCall): ReadCall {
  return asksWallets ? { ...call, gas: TRIED_GAS, foreignFor: call.from } : call;
}
