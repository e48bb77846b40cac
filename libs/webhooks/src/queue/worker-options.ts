import type { Job } from 'bullmq';
import type { ProcessJob } from './queue-backend.js';
import { type JobData, fromJobData } from './delivery-job.js';

/**
 * A worker that was killed loses its locks after `lockDuration`, and its jobs are handed to others at the next check.
 * A lock must outlast a stalled event loop, not an attempt: it is renewed while the attempt runs.
 */
export const WORKER_OPTIONS = {
  autorun: false,
  lockDuration: 6_000,
  stalledInterval: 3_000,
  // Which deliveries are given up is decided by their schedule, never by how often a worker died.
  maxStalledCount: 1_000,
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
  // BullMQ's pause after a lost connection; its default of 15 s would be ours after every restart of Redis.
  runRetryDelay: 500,
} as const;

/** The other direction of what DeliveryQueue.add() writes. */
export function processJob(perform: ProcessJob, job: Job<JobData>): Promise<void> {
  return perform(fromJobData(job.data));
}
