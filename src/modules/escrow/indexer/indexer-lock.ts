import { Injectable } from '@nestjs/common';
import { Environment } from '../../../platform/config/environment.js';
import { SessionLock } from '../../../platform/database/locks/session-lock.js';

/**
 * Decides which of several processes indexes. A lock that is lost unnoticed for a moment does no harm: every write of the
 * index checks that it continues from the block it was read for.
 */
@Injectable()
export class IndexerLock extends SessionLock {
  constructor(environment: Environment) {
    super(environment.databaseUrl, { keys: [0x7a5c, 0x1dc5], application: 'tasktree-indexer' });
  }
}
