import type { SessionSettings } from '#libs/database';

/**
 * A prepared statement keeps its plan while its table grows. A sequential scan gains little on a small table and takes
 * far too long on a large one. See docs/decisions/steady-plans.md.
 */
export const PLANNING: SessionSettings = { enable_seqscan: 'off', jit: 'off' };
