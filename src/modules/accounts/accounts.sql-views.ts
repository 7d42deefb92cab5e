import { deleteBatch } from '../../platform/database/expired-rows.sql.js';

/** Deletes a batch of browser sessions that expired before the placeholder's moment. */
export const DELETE_EXPIRED_SESSIONS = deleteBatch('browser_sessions', 'id');
