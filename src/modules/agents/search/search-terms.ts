/** A query as `websearch_to_tsquery` understood it. */
export type SearchTerms =
  | { kind: 'word'; word: string }
  | { kind: 'all' | 'any'; of: readonly SearchTerms[] }
  /** Who is left out: nobody is found by it. */
  | { kind: 'not' };

/** A word in quotes, whose quotes and backslashes are doubled; an operator; a parenthesis. */
const TOKENS = /'(?:[^'\\]|''|\\\\)*'|<(?:-|\d+)>|[&|!()]/g;

/**
 * Reads the text of a tsquery. `!` binds closest, then the operators of a phrase, then `&`, then `|`. What a phrase says
 * about places is left out: it is all of its words here.
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

/** Every word that somebody may be found by, once. */
export function wordsOf(terms: SearchTerms): string[] {
  if (terms.kind === 'word') return [terms.word];
  return terms.kind === 'not' ? [] : [...new Set(terms.of.flatMap(wordsOf))];
}

/**
 * The words that together lead to everybody who is found, and to as few others as can be: one of those that all must
 * have, every one of those of which any is enough.
 * @param agents how many have a word.
 * @returns null when no words do, as for a query that finds whoever has not a word.
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
