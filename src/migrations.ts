import { Initial1700000000000 } from './migrations/1700000000000-initial.js';

/** Every migration in order, listed so that nothing is found by a file pattern. */
export const migrations = [Initial1700000000000];
