/**
 * Text as the search index and its queries see it: "camelCase" and "snake_case" names become separate words, so that a
 * brief that says "translate text" finds the capability "translateText". rule: design/ranking.md §4.1
 */
export function searchableText(text: string): string {
  return text
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .replace(/[_/.:-]+/g, ' ');
}
