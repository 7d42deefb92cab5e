import {
  type AgentAttributes,
  FACT_LINES,
  FACT_NUMBERS,
  factsOf,
  type AgentAttributeColumns,
} from './agent-attributes.js';
import { linesOf, StringArena } from '#libs/text-search';

/** Numbers of an agent: its own, its relevance, its product, and those of its facts. */
const NUMBERS = 3 + FACT_NUMBERS;
/** Of an agent's lines, as long as ids are made as they are. */
const BYTES_OF_TEXTS = 160;

/** An active agent that takes new work, and what makes it a candidate. */
export interface IndexedAgent {
  agentNumber: number;
  relevance: number;
  /** Product of weights of the most similar brief that it has settled; 0 without any. */
  dot: number;
  facts: AgentAttributes;
}

/** Agents column by column: to copy a thousand objects from one thread to another takes longer than to find them. */
export interface AgentColumns {
  numbers: Float64Array;
  /** Lines of text. */
  texts: Uint8Array;
}

/** Writes agents into columns. */
export class AgentColumnsWriter {
  private readonly numbers: Float64Array;
  private readonly lines: StringArena;
  private size = 0;

  /** @param most agents that are written, at most. */
  constructor(
    private readonly facts: AgentAttributeColumns,
    most: number,
  ) {
    this.numbers = new Float64Array(most * NUMBERS);
    this.lines = new StringArena(most * BYTES_OF_TEXTS);
  }

  /** An agent of which nothing is known is left out. */
  write(agentNumber: number, relevance: number, dot: number): void {
    const { numbers, size } = this;
    if (!this.facts.copy(agentNumber, numbers, size + 3, this.lines)) return;
    numbers[size] = agentNumber;
    numbers[size + 1] = relevance;
    numbers[size + 2] = dot;
    this.size += NUMBERS;
  }

  /** No longer than what is in them: between threads arrays are copied with all the memory behind them. */
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
