import type { SessionSettings } from '#libs/database';

/**
 * A table of the pipeline is empty at one moment and holds a million rows at the next; a prepared statement keeps its
 * first plan. So plans are generic and use only indexes.
 */
export const PLANNING: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};
