import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { SingleProcessRunner } from '../../../platform/database/locks/single-process-runner.js';
import { ToldOwners } from './told-owners.js';

/** Half of it is the mean time that an owner waits for the news. */
const INTERVAL_MS = 1_000;

/** Tells owners of matching agents of opened tasks, in one of the processes. */
@Injectable()
export class ToldOwnersRunner extends SingleProcessRunner {
  constructor(
    { databaseUrl }: Environment,
    private readonly owners: ToldOwners,
  ) {
    super(new Logger('matching'), {
      databaseUrl,
      lock: { keys: [0x7a5c, 0x3a7e], application: 'tasktree-told-owners' },
      everyMs: INTERVAL_MS,
      failure: 'Owners are not told of tasks that match their agents',
    });
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return this.owners.follow(signal);
  }
}
