/** The structure of a query that `websearch_to_tsquery` has parsed. */
export type SearchTerms =
  | { kind: 'word'; word: string }
  | { kind: 'all' | 'any'; of: readonly SearchTerms[] }
  /** An exclusion. It finds no agents. */
  | { kind: 'not' };

/** A word in quotes, whose quotes and backslashes are doubled; an operator; a parenthesis. */
const TOKENS = /'(?:[^'\\]|''|\\\\)*'|<(?:-|\d+)>|[&|!()]/g;

/**
 * Reads the text of a tsquery. `!` binds closest, then the operators of a phrase, then `&`, then `|`. The word
 * positions of a phrase are ignored: a phrase requires all of its words.
 * @returns null for a query without words.
 */
export function searchTerms(text: string): SearchTerms | null {
  const tokens = text.match(TOKENS) ?? [];
  if (tokens.length === 0) return null;
  let next = 0;

  const any = (): SearchTerms => {
    const of = [all()];
    while (tokens[next] === '|') {
      next += 1;
      of.push(all());
    }
    return of.length === 1 && of[0] ? of[0] : { kind: 'any', of };
  };
  const all = (): SearchTerms => {
    const of = [one()];
    while (tokens[next] === '&' || tokens[next]?.startsWith('<')) {
      next += 1;
      of.push(one());
    }
    return of.length === 1 && of[0] ? of[0] : { kind: 'all', of };
  };
  const one = (): SearchTerms => {
    const token = tokens[next] ?? '';
    next += 1;
    if (token === '!') {
      one();
      return { kind: 'not' };
    }
    if (token === '(') {
      const inner = any();
      next += 1;
      return inner;
    }
    return { kind: 'word', word: token.slice(1, -1).replaceAll("''", "'").replaceAll('\\\\', '\\') };
  };
  return any();
}

/** Every word by which an agent can be found, each once. */
export function wordsOf(terms: SearchTerms): string[] {
  if (terms.kind === 'word') return [terms.word];
  return terms.kind === 'not' ? [] : [...new Set(terms.of.flatMap(wordsOf))];
}

/**
 * The words whose lists together contain all agents found and as few others as possible: of required words the rarest,
 * of alternatives all.
 * @param agents returns the number of agents with a word.
 * @returns null when no such words exist, as for a query that only excludes.
 */
export function leadingWords(terms: SearchTerms, agents: (word: string) => number): string[] | null {
  if (terms.kind === 'not') return null;
  if (terms.kind === 'word') return [terms.word];
  const each = terms.of.map((inner) => leadingWords(inner, agents));
  if (terms.kind === 'any') return each.includes(null) ? null : [...new Set(each.flatMap((words) => words ?? []))];
  const led = each.filter((words) => words !== null);
  const sum = (words: readonly string[]): number => words.reduce((all, word) => all + agents(word), 0);
  return led.toSorted((a, b) => sum(a) - sum(b))[0] ?? null;
}
