import { searchableText } from './agent-text.js';
import type { CheckedProfile } from './agent-profile.js';

/**
 * Weighted lexemes of the three texts, each as `searchableText` gives it; parameters are those of `searchParameters`.
 * rule: design/ranking.md §4.1
 */
export const SEARCH_SQL = `
  setweight(to_tsvector('english', :nameText), 'A') ||
  setweight(to_tsvector('english', :capabilitiesText), 'B') ||
  setweight(to_tsvector('english', :descriptionText), 'C')`;

/** What an agent is found by, for `SEARCH_SQL`. */
export function searchParameters({
  name,
  capabilities,
  description,
}: Pick<CheckedProfile, 'name' | 'capabilities' | 'description'>): Record<string, string> {
  return {
    nameText: searchableText(name),
    capabilitiesText: capabilities.map(searchableText).join(' , '),
    descriptionText: searchableText(description),
  };
}
