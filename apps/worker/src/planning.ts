import type { SessionSettings } from '#libs/database';

/**
 * Tables of the pipeline are empty at one moment and hold a million rows at the next, but a prepared statement keeps
 * its first plan, and a plan for empty tables would scan them. So plans are generic and use only indexes.
 */
export const PLANNING: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};
