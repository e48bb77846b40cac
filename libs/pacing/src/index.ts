export { type Backoff, backoffMs } from './backoff.js';
export { FairLanes } from './fair-lanes.js';
export { FairQueue } from './fair-queue.js';
