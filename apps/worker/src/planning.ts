import type { SessionSettings } from '#libs/database';

/**
 * The tables of the pipeline are empty at one moment and hold a million rows at the next, while a prepared statement
 * keeps its first plan. A plan made for empty tables would read them whole. So plans are made once, and only from what
 * stays cheap: single rows by their keys, and the front of a range by its index. Of one row, to which it believes a table
 * has come down, PostgreSQL would as soon read the whole range at once and sort it.
 */
export const PLANNING: SessionSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  jit: 'off',
};
