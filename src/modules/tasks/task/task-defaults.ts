import type { TaskTier } from './task.entity.js';

/**
 * What a new task has where its request says nothing; times in seconds.
 * rule: docs/decisions/interface.md#fields-and-ranges
 */
export const TASK_DEFAULTS = {
  acceptWindowSeconds: 259_200,
  deliveryWindowSeconds: 604_800,
  /** From the creation to the end of offers. */
  offersSeconds: 14 * 86_400,
  tier: 'public' satisfies TaskTier,
} as const;
