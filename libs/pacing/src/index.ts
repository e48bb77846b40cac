export { backoffMs } from './backoff.js';
export { FairQueue } from './fair-queue.js';
export { FairLanes } from './fair-lanes.js';
export { waitAtMost } from './wait-at-most.js';
