import { decodeFact, type EscrowFact, FundingMode, Outcome } from '../../../libs/contracts/src/index.js';
import { type Hex, parentPath, pathText } from '../../../libs/kernel/src/index.js';
import type { Walk } from './walk.js';

/** Ends of a node by which its worker gets nothing, and loses nothing that it was promised. */
const UNEARNED: readonly Outcome[] = [Outcome.NonDelivery, Outcome.RejectionFinal, Outcome.Abandoned];
/** Ends that the hirer, both sides or the arbiter have chosen, and the hirer's silence, which accepts. */
const CHOSEN: readonly Outcome[] = [Outcome.Accepted, Outcome.AcceptWindowLapsed, Outcome.Agreed, Outcome.Ruled];

type Funded = Extract<EscrowFact, { type: 'NodeFunded' }>;

/** A node by its terms and its end alone. */
interface Deal {
  readonly terms: Funded;
  /** What helpers have been promised of it and have not lost. */
  promised: bigint;
  end: { outcome: Outcome; toWorker: bigint; toHirer: bigint } | null;
}

/** Every promise that was broken in the escrows of the walk, and a sentence where there is nothing to look at. */
export async function brokenPromises(walk: Walk): Promise<string[]> {
  const found: string[] = [];
  let seen = 0;
  for (const { id, escrow } of walk.tasks) {
    const logs = await walk.market.chain.anvil.rpc<{ topics: Hex[]; data: Hex }[]>('eth_getLogs', {
      fromBlock: '0x0',
      address: escrow,
    });
    const facts = logs.map(decodeFact).filter((fact) => fact !== null);
    seen += facts.filter(({ type }) => type === 'NodeSettled' || type === 'NodeRefunded').length;
    found.push(...brokenIn(facts).map((broken) => `${id} ${broken}`));
  }
  return seen === 0 ? ['no node has ended'] : found;
}

/**
 * Every promise of the escrow that an end of a node has broken: whoever does its own part loses at most what it has signed,
 * whatever the others do. Reads what each side has signed and what each end gave from the events of one escrow, and nothing
 * of what the contract counts in between.
 */
export function brokenIn(facts: readonly EscrowFact[]): string[] {
  const deals = new Map<bigint, Deal>();
  return facts.map((fact) => follow(deals, fact)).filter((broken) => broken !== null);
}

/** Takes one event into the deals. @returns what it has broken. */
function follow(deals: Map<bigint, Deal>, fact: EscrowFact): string | null {
  if (fact.type === 'NodeFunded') return hire(deals, fact);
  if (fact.type !== 'NodeSettled' && fact.type !== 'NodeRefunded') return null;
  const name = `node ${pathText(fact.nodeId)}`;
  const deal = deals.get(fact.nodeId);
  if (deal === undefined || deal.end !== null) return `${name} ends, and has ended before or never begun`;
  const [toWorker, toHirer] = fact.type === 'NodeSettled' ? [fact.workerShare, fact.hirerShare] : [0n, fact.amount];
  deal.end = { outcome: fact.outcome, toWorker, toHirer };
  const above = deals.get(parentPath(fact.nodeId));
  if (above !== undefined && deal.terms.mode === FundingMode.ParentNode) above.promised -= toHirer;
  const fault = faultOf(deal.terms, deal.promised, deal.end);
  return fault === null ? null : `${name} (${deal.end.outcome}, ${toWorker} and ${toHirer}): ${fault}`;
}

function hire(deals: Map<bigint, Deal>, terms: Funded): string | null {
  deals.set(terms.nodeId, { terms, promised: 0n, end: null });
  const above = deals.get(parentPath(terms.nodeId));
  if (above === undefined || terms.mode !== FundingMode.ParentNode) return null;
  above.promised += terms.amount;
  // More could not be paid if the arbiter stayed silent, or would be the hirer's loss.
  return above.promised <= above.terms.floor ? null : `node ${pathText(terms.nodeId)} was promised more than the floor`;
}

function faultOf(
  { amount, floor }: Funded,
  promised: bigint,
  { outcome, toWorker, toHirer }: NonNullable<Deal['end']>,
) {
  if (toWorker + toHirer !== amount) return `${amount} were paid in`;
  if (UNEARNED.includes(outcome))
    return toHirer === amount ? null : 'the hirer of unearned money has not all of it back';
  if (CHOSEN.includes(outcome)) {
    return toWorker === 0n || toWorker >= promised ? null : `helpers were promised ${promised}`;
  }
  return toWorker === floor ? null : `with a silent arbiter the worker's side has ${floor}`;
}
