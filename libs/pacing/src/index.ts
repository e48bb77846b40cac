export { backoffMs } from './backoff.js';
export { FairLanes, FairQueue } from './fair-queue.js';
export { waitAtMost } from './wait-at-most.js';
