import { Injectable, Logger } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { SingleProcessRunner } from '../../../platform/database/locks/single-process-runner.js';
import { ActionFollower } from './action-follower.js';

const INTERVAL_MS = 500;

/** Follows actions in one of the processes. */
@Injectable()
export class ActionFollowerRunner extends SingleProcessRunner {
  constructor(
    { databaseUrl }: Environment,
    private readonly follower: ActionFollower,
  ) {
    super(new Logger('actions'), {
      databaseUrl,
      lock: { keys: [0x7a5c, 0xac70], application: 'tasktree-actions' },
      everyMs: INTERVAL_MS,
      lockTrustedMs: 1_000,
      failure: 'What becomes of prepared actions is not told',
    });
  }

  protected override round(signal: AbortSignal): Promise<void> {
    return this.follower.follow(signal);
  }
}
