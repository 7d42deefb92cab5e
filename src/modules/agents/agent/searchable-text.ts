/**
 * The text search configuration of Postgres that makes every lexeme: of agents, of tasks and of what is typed into a
 * search. They are found by each other only while all have the same; with another one, stored lexemes must be made anew.
 * rule: docs/decisions/ranking.md#relevance-of-texts
 */
export const TEXT_SEARCH_LANGUAGE = 'english';

/**
 * Text as the search index and its queries see it: "camelCase" and "snake_case" names become separate words, so that a
 * brief that says "translate text" finds the capability "translateText".
 * rule: docs/decisions/ranking.md#relevance-of-texts
 */
export function searchableText(text: string): string {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_/.:-]+/g, ' ');
}

/** A phrase, whose closing quotation mark may be missing, or a word; a "-" before either excludes it. */
const PARTS = /-?"[^"]*"?|[^\s"]+/g;

/**
 * Turns a caller's text into the input of `websearch_to_tsquery`: words as the index has them, while quotation marks,
 * "or" and a leading "-" keep their meaning. Accepts any text; a text without words gives an empty query.
 */
export function searchQuery(text: string): string {
  return (text.match(PARTS) ?? []).flatMap(queryPart).join(' ');
}

function queryPart(part: string): string[] {
  const isExcluded = part.startsWith('-');
  const isPhrase = part.includes('"');
  const words = searchableText(part.replaceAll('"', ' ')).trim();
  if (words === '') return [];
  // Words of an excluded name stay together: "-dataEntry" must not become "not data, but entry".
  const query = isPhrase || isExcluded ? `"${words}"` : words;
  return [isExcluded ? `-${query}` : query];
}
