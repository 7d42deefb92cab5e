/**
 * A statement took longer than reads may take, and Postgres has cancelled it. `code` is the SQLSTATE, for which a
 * caller gets a 503; the statement's name, and the driver's error as `cause`, are for the log.
 */
export class ReadBudgetError extends Error {
  readonly code = '57014';

  constructor(statement: string, cause: unknown) {
    super(`The statement "${statement}" took longer than its budget`, { cause });
    this.name = 'ReadBudgetError';
  }
}
