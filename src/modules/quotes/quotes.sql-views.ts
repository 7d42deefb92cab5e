/** SQL that deletes the quotes that meet `condition`; `RETURNING` may follow. The importing modules know the condition. */
export function deleteQuotes(condition: string): string {
  return `DELETE FROM quotes WHERE ${condition}`;
}
