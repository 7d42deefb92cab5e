import { Initial1700000000000 } from './migrations/1700000000000-initial.js';
import { ActionSubmissions1700000000003 } from './migrations/1700000000003-action-submissions.js';

/** Every migration in order, listed so that nothing is found by a file pattern. */
export const migrations = [Initial1700000000000, ActionSubmissions1700000000003];
