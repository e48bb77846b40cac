import type { Processor, Queue, Worker } from 'bullmq';
import type { JobData, QueueKind } from './delivery-job.js';

/** What is used of BullMQ's `Queue`, whichever backend it stands on. */
export type BullQueue = Pick<Queue<JobData>, 'add' | 'addBulk' | 'getJobCounts' | 'close'>;

/** What is used of BullMQ's `Worker`. */
export type BullWorker = Pick<Worker<JobData>, 'concurrency' | 'run' | 'pause' | 'resume' | 'close'>;

/** One life of the queue's memory. When it changes, jobs may have been forgotten. */
export interface QueueGeneration {
  readonly id: string;
  /** Whether this very call found that a new life has begun. True for one caller of all processes. */
  readonly isNew: boolean;
}

export type OnError = (error: Error) => void;

export interface QueueBackend {
  readonly name: 'redis' | 'postgresql';
  openQueue(kind: QueueKind): BullQueue;
  openWorker(kind: QueueKind, process: Processor<JobData, void>): BullWorker;
  generation(): Promise<QueueGeneration>;
  close(): Promise<void>;
}

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
