export { backoffMs } from './backoff.js';
export { FairQueue } from './fair-queue.js';
export { FairLanes } from './fair-lanes.js';
export { BoundedProgram, type ProgramFailure, type RunningProgram, startThread } from './bounded-program.js';
export { waitAtMost } from './wait-at-most.js';
