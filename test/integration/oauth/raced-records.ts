import { DataSource } from 'typeorm';
import { OAuthRequests } from '../../../src/modules/oauth/protocol/oauth-requests.js';
import { eventually } from '../../support/eventually.js';
import type { ListeningService } from '../../support/listening-service.js';
import { withPatientPool } from '../../support/patient.js';

/**
 * Runs `act` `count` times at once, on records that each of them wants to use up. The account's records of that kind
 * stay locked until the last one has begun, so that none can be taken for a request that came after the winner's
 * answer.
 */
export async function raced<T>(
  service: ListeningService,
  { kind, accountId }: { kind: string; accountId: string },
  count: number,
  act: () => Promise<T>,
): Promise<T[]> {
  const release = await heldRow(service, kind, accountId);
  const began = jest.spyOn(service.get(OAuthRequests), 'run');
  try {
    return await withPatientPool(service.get(DataSource), async () => {
      const racing = Array.from({ length: count }, () => act());
      await eventually(() => began.mock.calls.length >= count, 30_000);
      await release();
      return Promise.all(racing);
    });
  } finally {
    began.mockRestore();
  }
}

async function heldRow(service: ListeningService, kind: string, accountId: string): Promise<() => Promise<void>> {
  const runner = service.dataSource.createQueryRunner();
  await runner.startTransaction();
  await runner.query(`SELECT 1 FROM oauth_records WHERE kind = $1 AND payload->>'accountId' = $2 FOR UPDATE`, [
    kind,
    accountId,
  ]);
  return async () => {
    await runner.commitTransaction();
    await runner.release();
  };
}
