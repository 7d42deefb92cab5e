import { DataFault } from '../../data/data-fault.js';
import { DATA_FOLDER } from '../../data/public-sets.js';
import { type EvalTool, readSets } from '../../eval/matching/matching-sets.js';
import { Seeded } from '../../eval/statistics/seeded.js';

/** The texts that agents are made of, and the briefs to find them with. */
export interface MatchTexts {
  /** One sentence for each source of texts. */
  origins: string[];
  tools: EvalTool[];
  /** Briefs, in random order. */
  requests: string[];
}

/** Fewest characters of a request that is used as a brief. */
const SHORTEST = 60;

/** Numbers of made-up tools and words: about as many as the public sets have. */
const TOOLS = 4_000;
const WORDS = 6_000;
const NAME_WORDS = 2;
const DESCRIPTION_WORDS = 30;
const REQUEST_WORDS = 16;
/** How many words of a made-up request come from the description of its tool. */
const SHARED_WORDS = 6;

/**
 * The public texts in this folder. Without a folder: those in the usual folder, or made-up texts when it has none.
 * @throws DataFault when the given folder has no texts.
 */
export function matchTexts(folder: string | null, count: number, seed: number): MatchTexts {
  const chance = new Seeded(seed);
  try {
    const { sets, origins } = readSets(folder ?? DATA_FOLDER, 'test', new Seeded(seed));
    const requests = sets.flatMap(({ tests }) => tests.map(({ text }) => text));
    return {
      origins,
      tools: sets.slice(0, 2).flatMap(({ tools }) => tools),
      requests: chance.sample(
        requests.filter((text) => text.length > SHORTEST),
        count,
      ),
    };
  } catch (error) {
    if (folder !== null || !(error instanceof DataFault)) throw error;
    return madeUpTexts(count, chance, seed);
  }
}

/** Texts of made-up words, some of which are far more frequent than others, as in any language. */
function madeUpTexts(count: number, chance: Seeded, seed: number): MatchTexts {
  const words = madeUpWords(chance);
  const wordsBy = (size: number): string[] =>
    Array.from({ length: size }, () => words[Math.floor(words.length ** chance.next()) - 1] ?? '');
  const tools = Array.from({ length: TOOLS }, () => ({
    name: wordsBy(NAME_WORDS).join(' '),
    capabilities: [],
    description: wordsBy(DESCRIPTION_WORDS).join(' '),
  }));
  const requests = Array.from({ length: count }, () => {
    const { name, description } = chance.pick(tools);
    const shared = chance.sample([...name.split(' '), ...description.split(' ')], SHARED_WORDS);
    const all = [...shared, ...wordsBy(REQUEST_WORDS - SHARED_WORDS)];
    return chance.sample(all, all.length).join(' ');
  });
  const origin = `Made-up texts of seed ${seed}: ${TOOLS.toLocaleString('en')} tools, ${WORDS.toLocaleString('en')} words. docs/data.md says where the public ones are.`;
  return { origins: [origin], tools, requests };
}

/** Different made-up words of two to four syllables, the most frequent first. */
function madeUpWords(chance: Seeded): string[] {
  const [onsets, vowels] = ['b d f g h k l m n p r s t v w z'.split(' '), 'a e i o u'.split(' ')];
  const found = new Set<string>();
  while (found.size < WORDS) {
    const syllables = Array.from({ length: 2 + chance.below(3) }, () => chance.pick(onsets) + chance.pick(vowels));
    found.add(syllables.join(''));
  }
  return [...found];
}
