import { FACT_NUMBERS, type IndexedAgent, numbersAt, putNumbers } from './known-facts.js';

/** Numbers of an agent: its own, its relevance, its product, and those of its facts. */
const NUMBERS = 3 + FACT_NUMBERS;
/** Texts of an agent: its id, account, cluster and wallet. */
const TEXTS = 4;
/** In none of those texts: ids and addresses are of letters, digits and underscores. */
const SEPARATOR = '\n';

/** Agents column by column: to copy a thousand objects from one thread to another takes longer than to find them. */
export interface AgentColumns {
  numbers: Float64Array;
  texts: string;
}

export function packAgents(agents: readonly IndexedAgent[]): AgentColumns {
  const numbers = new Float64Array(agents.length * NUMBERS);
  const texts: string[] = [];
  let at = 0;
  for (const { agentNumber, relevance, dot, facts } of agents) {
    numbers[at] = agentNumber;
    numbers[at + 1] = relevance;
    numbers[at + 2] = dot;
    putNumbers(numbers, at + 3, facts);
    at += NUMBERS;
    texts.push(facts.agentId, facts.accountId, facts.ownerCluster, facts.walletAddress);
  }
  return { numbers, texts: texts.join(SEPARATOR) };
}

export function unpackAgents({ numbers, texts }: AgentColumns): IndexedAgent[] {
  const parts = texts.split(SEPARATOR);
  return Array.from({ length: numbers.length / NUMBERS }, (_, index) => {
    const [at, from] = [index * NUMBERS, index * TEXTS];
    const { liveNodes, impressions, reputation } = numbersAt(numbers, at + 3);
    return {
      agentNumber: numbers[at] ?? 0,
      relevance: numbers[at + 1] ?? 0,
      dot: numbers[at + 2] ?? 0,
      facts: {
        agentId: parts[from] ?? '',
        accountId: parts[from + 1] ?? '',
        ownerCluster: parts[from + 2] ?? '',
        walletAddress: parts[from + 3] ?? '',
        liveNodes,
        impressions,
        reputation,
      },
    };
  });
}
