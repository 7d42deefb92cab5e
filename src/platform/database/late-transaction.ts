import { types } from 'node:util';
import { type DataSource, type EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';
import { dropHeld, holdBeginning, holdOpening, type Opening } from './batch/held-statements.js';
import { failedStatement } from './batch/statement-batch.js';
import { atStage, type WriteStage } from './write-stage.js';

/** What a write of one key begins with. */
export interface Beginning extends Omit<Opening, 'failed'> {
  /**
   * Settles when it is known whether there is anything to write; until then the write only reads. A rejection ends the
   * write with its error.
   */
  readonly cleared?: Promise<unknown>;
  /** The error that the write ends with, for one of the statement, of `retry`, or of the connection. */
  failure(error: unknown): unknown;
}

/** A transaction that takes a connection only when something is to be written, and keeps it until it ends. */
export class LateTransaction implements WriteStage {
  stage: WriteStage['stage'] = 'reading';
  cleared: Promise<unknown> | null;
  /** Notices that are delivered in this process after the commit. */
  readonly told: (() => void)[] = [];
  private runner: QueryRunner | null = null;
  private opening: Promise<EntityManager> | null = null;
  private failure: { readonly error: unknown } | null = null;

  /** @param first what the transaction begins with; when it fails, everything fails with its error. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly first?: Beginning,
  ) {
    this.cleared = first?.cleared ?? null;
    const clear = (): void => {
      this.cleared = null;
    };
    // Of a rejection, those hear who wait for it.
    this.cleared?.then(clear, () => undefined);
  }

  /** Null while no transaction is open. */
  get manager(): EntityManager | null {
    return this.stage === 'reading' ? null : (this.runner?.manager ?? null);
  }

  /** The transaction's manager; begins it if that was not done yet. */
  open(): Promise<EntityManager> {
    if (this.stage === 'over') return Promise.reject(new Error('The write that this belongs to is over'));
    // Only the beginning itself may write; other work at the same moment may still only read.
    this.opening ??= atStage({ stage: 'writing' }, () => this.begin());
    return this.opening;
  }

  /** Runs `work` and commits what it has written, or undoes all of it when it fails. */
  async around<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await atStage(this, work);
      await this.opening;
      if (this.failure !== null) throw this.failure.error;
      await this.runner?.commitTransaction().catch(asItsOwn);
      return result;
    } catch (error) {
      await this.undo();
      throw this.failure === null ? error : this.failure.error;
    } finally {
      this.stage = 'over';
      await this.runner?.release();
    }
  }

  private async begin(): Promise<EntityManager> {
    try {
      await this.cleared;
      const runner = this.dataSource.createQueryRunner();
      this.runner = runner;
      if (this.first === undefined) await runner.startTransaction();
      else await this.beginWith(runner, this.first);
      this.stage = 'writing';
      return runner.manager;
    } catch (error) {
      this.failure = { error };
      throw error;
    }
  }

  /** START TRANSACTION and the opening wait, and are sent together with the statement that follows. */
  private async beginWith(runner: QueryRunner, first: Beginning): Promise<void> {
    const client: unknown = await runner.connect();
    holdBeginning(client);
    await runner.startTransaction();
    const failed = (error: unknown): void => {
      this.failure = { error: first.failure(asFailure(error)) };
    };
    const opening: Opening = {
      statement: first.statement,
      accepts: (result) => first.accepts(result),
      retry: (ask) => first.retry(ask),
      failed,
    };
    if (!holdOpening(client, opening)) throw new TypeError('The connection holds no statements back');
  }

  private async undo(): Promise<void> {
    // A transaction that is still being opened must be open before it can be rolled back.
    await this.opening?.catch(() => undefined);
    try {
      if (this.runner?.isTransactionActive) await this.runner.rollbackTransaction();
    } catch {
      // Postgres rolls it back when the connection ends.
    }
    if (this.runner && !this.runner.isReleased) dropHeld(await this.runner.connect().catch(() => undefined));
  }
}

/**
 * Where a statement that was sent with COMMIT failed, throws the error of that statement, as if it had been sent alone.
 */
function asItsOwn(error: unknown): never {
  throw error instanceof QueryFailedError ? (failureIn(error.driverError) ?? error) : error;
}

/** An error of a statement of a batch as every statement of TypeORM fails; any other as it is. */
function asFailure(error: unknown): unknown {
  return failureIn(error) ?? error;
}

function failureIn(error: unknown): QueryFailedError | undefined {
  if (!types.isNativeError(error)) return undefined;
  const statement = failedStatement(error);
  return statement && new QueryFailedError(statement.text, [...(statement.values ?? [])], error);
}
