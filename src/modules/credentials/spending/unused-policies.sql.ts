import { deleteBatch } from '../../../platform/database/expired-rows.sql.js';

/** True while a key or a grant stands under the policy of the alias. */
const IN_USE = `(EXISTS (SELECT FROM api_keys key WHERE key.spend_policy_id = spend_policies.id)
  OR EXISTS (SELECT FROM oauth_grants allowed
    WHERE allowed.account_id = spend_policies.account_id AND allowed.client_id = spend_policies.client_id))`;

/**
 * Deletes policies from before the placeholder's moment under which nothing stands any more. A new one is written in one
 * transaction with its key or its grant, so it is never seen without.
 */
export const DELETE_UNUSED = deleteBatch('spend_policies', 'id', `created_at <= $1 AND NOT ${IN_USE}`, 'created_at');
