import type pg from 'pg';
import { SEARCH_SQL, searchParameters } from '../../../modules/agents/agent-search.sql.js';
import { type FieldCounts, impactOf } from '../../../modules/matching/relevance/impact.js';
import { agentLexemes, quotedLexeme } from '../../../modules/matching/relevance/lexemes.js';
import type { EvalTool } from '../../eval/matching/matching-sets.js';
import type { Seeded } from '../../eval/statistics/seeded.js';

/** Number of different words of all agents together. */
const VOCABULARY = 12_000;
/**
 * Words of a description: some from the agent's tool, some random. With the name they make about 28 different words.
 */
const OWN_WORDS = 16;
const OTHER_WORDS = 16;
/** How many of the words from its tool an agent's capabilities use, and how many words each capability has. */
const CAPABILITY_WORDS = 6;
const WORDS_OF_EACH = 2;

/** The lexemes that Postgres makes of a tool's name and of its other texts. */
interface ToolWords {
  name: string[];
  rest: string[];
}

/** A made-up agent. Its words are given by their index in the vocabulary. */
export interface MadeAgent {
  tool: number;
  name: number[];
  rest: number[];
}

/**
 * Makes any number of agents from the texts of public tools. Each agent uses words of one tool and equally many random
 * words, drawn by Zipf's law from the words of all tools.
 */
export class MatchCorpus {
  private constructor(
    /** The vocabulary, the most frequent word first. */
    readonly words: readonly string[],
    private readonly tools: readonly { name: number[]; rest: number[] }[],
  ) {}

  static async read(client: pg.Client, tools: readonly EvalTool[]): Promise<MatchCorpus> {
    const lexemes: ToolWords[] = [];
    for (const tool of tools) lexemes.push(await toolWords(client, tool));
    const counts = new Map<string, number>();
    for (const { name, rest } of lexemes) {
      for (const word of [...name, ...rest]) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    const known = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([word]) => word);
    const invented = Array.from({ length: Math.max(0, VOCABULARY - known.length) }, (_, n) => `unheard${n}`);
    const words = [...known, ...invented].slice(0, VOCABULARY);
    const places = new Map(words.map((word, place) => [word, place]));
    const placesOf = (list: readonly string[]): number[] => list.flatMap((word) => places.get(word) ?? []);
    return new MatchCorpus(
      words,
      lexemes.map(({ name, rest }) => ({ name: placesOf(name), rest: placesOf(rest) })),
    );
  }

  agent(chance: Seeded): MadeAgent {
    const tool = chance.below(this.tools.length);
    const { name, rest } = this.tools[tool] ?? { name: [], rest: [] };
    const own = rest.length === 0 ? [] : Array.from({ length: OWN_WORDS }, () => chance.pick(rest));
    const other = Array.from({ length: OTHER_WORDS }, () => this.anyWord(chance));
    return { tool, name, rest: [...own, ...other] };
  }

  /**
   * Draws a word by Zipf's law: the logarithm of its place is evenly distributed.
   * @returns its index in the vocabulary.
   */
  anyWord(chance: Seeded): number {
    return Math.floor(this.words.length ** chance.next()) - 1;
  }

  /** The capabilities of the agent. */
  capabilitiesOf({ rest }: MadeAgent): string[] {
    const words = rest.slice(0, CAPABILITY_WORDS).map((word) => this.words[word] ?? '');
    return words.flatMap((_, at) => (at % WORDS_OF_EACH === 0 ? words.slice(at, at + WORDS_OF_EACH).join(' ') : []));
  }

  /** The tsvector of the agent, as text. */
  vectorOf({ name, rest }: MadeAgent): string {
    const positions = new Map<number, string[]>();
    const add = (word: number, position: string): void => {
      positions.set(word, [...(positions.get(word) ?? []), position]);
    };
    for (const [index, word] of name.entries()) add(word, `${index + 1}A`);
    for (const [index, word] of rest.entries()) {
      add(word, `${name.length + index + 1}${index < CAPABILITY_WORDS ? 'B' : 'C'}`);
    }
    return [...positions].map(([word, list]) => `${quotedLexeme(this.words[word] ?? '')}:${list.join(',')}`).join(' ');
  }

  /** The words of the agent, each once, with their impacts. */
  impactsOf({ name, rest }: MadeAgent, averages: FieldCounts): { word: number; impact: number }[] {
    const counts = new Map<number, FieldCounts>();
    const at = (word: number): FieldCounts => {
      const known = counts.get(word) ?? { name: 0, rest: 0 };
      counts.set(word, known);
      return known;
    };
    for (const word of name) at(word).name += 1;
    for (const word of rest) at(word).rest += 1;
    const lengths = { name: name.length, rest: rest.length };
    return [...counts].map(([word, tf]) => ({ word, impact: impactOf(tf, lengths, averages) }));
  }
}

async function toolWords(client: pg.Client, tool: EvalTool): Promise<ToolWords> {
  const texts = searchParameters(tool);
  const names = ['nameText', 'capabilitiesText', 'descriptionText'] as const;
  const text = names.reduce((sql, name, index) => sql.replaceAll(`:${name}`, `$${index + 1}`), SEARCH_SQL);
  const { rows } = await client.query<{ search: string }>({
    name: 'bench_tool_words',
    text: `SELECT (${text})::text AS search`,
    values: names.map((name) => texts[name]),
  });
  const { terms } = agentLexemes(rows[0]?.search ?? '');
  const wordsIn = (field: keyof FieldCounts): string[] =>
    [...terms].flatMap(([word, counts]) => (counts[field] > 0 ? [word] : []));
  return { name: wordsIn('name'), rest: wordsIn('rest') };
}
