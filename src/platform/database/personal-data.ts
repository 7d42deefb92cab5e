/**
 * What a table holds about an account, and what becomes of it when the account's personal data are erased. In every SQL
 * text `own` is the row and `$1` the account.
 */
export interface PersonalTable {
  readonly table: string;
  /** Condition on the rows that are about the account. */
  readonly of: string;
  /** Columns that are never handed out; columns of bytes (hashes, what is sealed) never are. */
  readonly withheld?: readonly string[];
  /** Further condition on the rows that are deleted; absent: none is deleted. */
  readonly deleted?: string;
  /** What rows that stay are set to, and on which condition; absent: they stay as they are. */
  readonly cleared?: { readonly set: string; readonly where?: string };
  /** What stays and why, in words for the person at the terminal; absent: nothing stays. */
  readonly kept?: string;
}

/** Every row of the table that is about the account. */
export const ALL = 'true';
