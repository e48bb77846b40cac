import type { SessionSettings } from '#libs/database';

/**
 * A table may have grown a thousandfold since PostgreSQL looked at it, while a prepared statement keeps its plan. A plan
 * that reads the whole of a small table is hardly faster then, and a disaster now. docs/decisions/steady-plans.md.
 */
export const PLANNING: SessionSettings = { enable_seqscan: 'off', jit: 'off' };
