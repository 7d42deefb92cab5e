import { accessSync, constants, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { LocalFault, messageOf, systemCode } from '../processes/local-fault.js';
import { folderElsewhere } from './postgres-account.js';

/** The folder with all data of a local market; git ignores it. */
export class MarketFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
  }

  readonly file = (name: string): string => join(this.path, name);

  get postgres(): string {
    return this.file('postgres');
  }

  get chainState(): string {
    return this.file('anvil-state.json');
  }

  /** File with the time of the chain's first block, which the saved state does not have. */
  get chainGenesis(): string {
    return this.file('anvil-genesis.json');
  }

  get localFile(): string {
    return this.file('local.json');
  }

  get secrets(): string {
    return this.file('secrets.json');
  }

  /**
   * Ports to use again at the next start if they are free. The file survives a reset, so that the network settings of
   * wallets stay right.
   */
  get ports(): string {
    return this.file('ports.json');
  }

  get lock(): string {
    return this.file('lock.json');
  }

  get reset(): string {
    return `npm start -- --reset${this.path.endsWith('/.tasktree') ? '' : ` --data-dir ${this.path}`}`;
  }

  /** Creates the folder. Throws LocalFault when this user may not write there. */
  create(): void {
    try {
      mkdirSync(this.path, { recursive: true });
      accessSync(this.path, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      const why = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error))
        ? 'this user may not write there'
        : messageOf(error);
      throw new LocalFault(
        `The folder ${this.path} for the market's data cannot be used: ${why}. Choose another one, for example ` +
          '`npm start -- --data-dir /tmp/tasktree`.',
      );
    }
  }

  /** Deletes the market's data, and nothing else that may be in the folder. */
  clear(): void {
    const made = [
      this.postgres,
      folderElsewhere(this.postgres),
      this.chainState,
      this.chainGenesis,
      this.localFile,
      this.secrets,
      this.unfinished,
      this.file('artifacts'),
    ];
    for (const path of [...made, this.file('postgres.log'), this.file('chain.log'), this.file('service.log')]) {
      rmSync(path, { recursive: true, force: true });
    }
  }

  /** Deletes the whole folder, for temporary markets. */
  remove(): void {
    this.clear();
    rmSync(this.path, { recursive: true, force: true });
  }

  /** True from the first start until the sample market is complete. */
  get isUnfinished(): boolean {
    return existsSync(this.unfinished);
  }

  markUnfinished(): void {
    writeFileSync(this.unfinished, '');
  }

  markFinished(): void {
    rmSync(this.unfinished, { force: true });
  }

  private get unfinished(): string {
    return this.file('unfinished');
  }
}
