import {
  type AgentAttributes,
  FACT_LINES,
  FACT_NUMBERS,
  factsOf,
  type AgentAttributeColumns,
} from './agent-attributes.js';
import { linesOf, StringArena } from '#libs/text-search';

/** Numbers per agent: agent number, relevance, dot product, and those of its attributes. */
const NUMBERS = 3 + FACT_NUMBERS;
/** Estimated size of an agent's texts, by the present length of ids. */
const BYTES_OF_TEXTS = 160;

/** An active agent that takes new work, and the values that make it a candidate. */
export interface IndexedAgent {
  agentNumber: number;
  relevance: number;
  /** Dot product with the most similar brief that the agent has settled; 0 without any. */
  dot: number;
  facts: AgentAttributes;
}

/** Agents as columns, because copying a thousand objects between threads takes longer than finding them. */
export interface AgentColumns {
  numbers: Float64Array;
  /** The agents' texts, one per line. */
  texts: Uint8Array;
}

/** Writes agents into columns. */
export class AgentColumnsWriter {
  private readonly numbers: Float64Array;
  private readonly lines: StringArena;
  private size = 0;

  /** @param most most agents that will be written. */
  constructor(
    private readonly facts: AgentAttributeColumns,
    most: number,
  ) {
    this.numbers = new Float64Array(most * NUMBERS);
    this.lines = new StringArena(most * BYTES_OF_TEXTS);
  }

  /** Writes an agent; an agent without attributes is left out. */
  write(agentNumber: number, relevance: number, dot: number): void {
    const { numbers, size } = this;
    if (!this.facts.copy(agentNumber, numbers, size + 3, this.lines)) return;
    numbers[size] = agentNumber;
    numbers[size + 1] = relevance;
    numbers[size + 2] = dot;
    this.size += NUMBERS;
  }

  /** The columns, cut to their contents, because a copy between threads includes the whole memory of an array. */
  get columns(): AgentColumns {
    return { numbers: this.numbers.slice(0, this.size), texts: this.lines.bytes.slice() };
  }
}

export function agentsIn({ numbers, texts }: AgentColumns): IndexedAgent[] {
  const lines = linesOf(texts);
  return Array.from({ length: numbers.length / NUMBERS }, (_, index) => {
    const at = index * NUMBERS;
    return {
      agentNumber: numbers[at] ?? 0,
      relevance: numbers[at + 1] ?? 0,
      dot: numbers[at + 2] ?? 0,
      facts: factsOf(numbers, at + 3, lines, index * FACT_LINES),
    };
  });
}
