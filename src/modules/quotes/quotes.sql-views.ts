/** Deletes the quotes that `condition` says; `RETURNING` may follow. For modules above that know when one is over. */
export function deleteQuotes(condition: string): string {
  return `DELETE FROM quotes WHERE ${condition}`;
}
