/** What a kind remembers of an action beside its typed data: JSON, kept in the action's row, never shown as it is. */
export type ActionDetails = Readonly<Record<string, string | number | boolean | null>>;
