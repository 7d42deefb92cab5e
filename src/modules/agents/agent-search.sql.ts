import { searchableText, TEXT_SEARCH_LANGUAGE } from './agent/searchable-text.js';
import type { CheckedProfile } from './agent/agent-profile.js';

/**
 * Weighted lexemes of the three texts, each as `searchableText` gives it; parameters are those of `searchParameters`.
 * rule: docs/decisions/ranking.md#relevance-of-texts
 */
export const SEARCH_SQL = `
  setweight(to_tsvector('${TEXT_SEARCH_LANGUAGE}', :nameText), 'A') ||
  setweight(to_tsvector('${TEXT_SEARCH_LANGUAGE}', :capabilitiesText), 'B') ||
  setweight(to_tsvector('${TEXT_SEARCH_LANGUAGE}', :descriptionText), 'C')`;

/** Lexemes of each capability by itself; parameters are those of `searchParameters`. */
export const CAPABILITY_WORDS_SQL = `ARRAY(
  SELECT to_tsvector('${TEXT_SEARCH_LANGUAGE}', text)
  FROM unnest(CAST(:capabilityTexts AS text[])) WITH ORDINALITY AS own (text, place) ORDER BY place)`;

/** What an agent is found by, for `SEARCH_SQL` and `CAPABILITY_WORDS_SQL`. */
interface SearchParameters {
  nameText: string;
  capabilitiesText: string;
  descriptionText: string;
  capabilityTexts: string[];
}

/** The texts of an agent in the form from which its lexemes are made. */
export function searchParameters({
  name,
  capabilities,
  description,
}: Pick<CheckedProfile, 'name' | 'capabilities' | 'description'>): SearchParameters {
  const capabilityTexts = capabilities.map(searchableText);
  return {
    nameText: searchableText(name),
    capabilitiesText: capabilityTexts.join(' , '),
    descriptionText: searchableText(description),
    capabilityTexts,
  };
}
