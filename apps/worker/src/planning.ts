import type { SessionSettings } from '#libs/database';

/**
 * A prepared statement keeps its first plan, and its tables may be empty at one moment and hold a million rows at the
 * next. So plans are generic and use only indexes.
 */
export const PLANNING: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};
