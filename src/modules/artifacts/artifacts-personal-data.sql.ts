import type { PersonalTable } from '../../platform/database/personal-data.js';
import { isDelivered } from './custody/custody.sql.js';

/** What the table of artifacts holds about an account. */
export const ARTIFACTS_PERSONAL_DATA: readonly PersonalTable[] = [
  {
    table: 'artifact_custody',
    of: 'own.account_id = $1',
    // The running service deletes rows and bytes together in its next round (custody.sweeper.ts).
    cleared: {
      set: 'kept_until = to_timestamp(0)',
      where: `NOT ${isDelivered('own')}`,
    },
    kept: 'what was delivered, which its payer may fetch; what was not is deleted by the running service within minutes',
  },
];
