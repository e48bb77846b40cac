import type { SessionSettings } from '#libs/database';

/** A prepared statement keeps its plan while its table grows. See docs/decisions/steady-plans.md. */
export const PLANNING: SessionSettings = { enable_seqscan: 'off', jit: 'off' };
