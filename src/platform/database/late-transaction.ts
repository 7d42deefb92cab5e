import { type DataSource, type EntityManager, QueryFailedError, type QueryRunner } from 'typeorm';
import { dropHeld, holdBeginning } from './batch/held-statements.js';
import { failedStatement } from './batch/statement-batch.js';
import { atStage, type WriteStage } from './write-stage.js';

/** A transaction that takes a connection only when something is to be written, and keeps it until it ends. */
export class LateTransaction implements WriteStage {
  stage: WriteStage['stage'] = 'reading';
  /** Notices that are delivered in this process after the commit. */
  readonly told: (() => void)[] = [];
  private runner: QueryRunner | null = null;
  private opening: Promise<EntityManager> | null = null;
  private failure: { readonly error: unknown } | null = null;

  /** @param first what the transaction begins with; when it fails, everything fails with its error. */
  constructor(
    private readonly dataSource: DataSource,
    private readonly first?: (manager: EntityManager) => Promise<void>,
  ) {}

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
    const runner = this.dataSource.createQueryRunner();
    this.runner = runner;
    try {
      // `first` follows at once, so START TRANSACTION waits and is sent together with it.
      if (this.first) holdBeginning(await runner.connect());
      await runner.startTransaction();
      await this.first?.(runner.manager);
    } catch (error) {
      this.failure = { error };
      throw error;
    }
    this.stage = 'writing';
    return runner.manager;
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
  if (!(error instanceof QueryFailedError)) throw error;
  const driverError: Error = error.driverError;
  const statement = failedStatement(driverError);
  throw statement ? new QueryFailedError(statement.text, [...(statement.values ?? [])], driverError) : error;
}
