import type { Hex } from '#libs/notation';
import { digitsOf, FORWARDER } from './evm-address.js';
import type { Deployment, TreeParties } from './prepared-action.js';

/**
 * The code of an escrow that commits to these parties, as `partiesInCode` reads it, for what stands in for a chain in
 * tests. Throws TypeError on what is no address.
 */
export function escrowCodeOf({ implementation }: Deployment, { buyer, arbiter }: TreeParties): Hex {
  const [before, after] = FORWARDER;
  return `0x${[before, digitsOf(implementation), after, digitsOf(buyer), digitsOf(arbiter)].join('')}`;
}
