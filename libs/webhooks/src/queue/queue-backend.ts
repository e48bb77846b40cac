import type { DeliveryGroup, JobData, QueueKind } from './delivery-job.js';

/** What is used of BullMQ's `Queue`, whichever backend it stands on. */
export interface BullQueue {
  add(name: string, data: JobData, opts: object): Promise<unknown>;
  addBulk(jobs: { name: string; data: JobData; opts: object }[]): Promise<unknown>;
  getJobCounts(...types: ('wait' | 'active')[]): Promise<Record<string, number>>;
  close(): Promise<void>;
}

/** What is used of BullMQ's `Worker`. */
export interface BullWorker {
  concurrency: number;
  run(): Promise<void>;
  pause(doNotWaitActive?: boolean): Promise<void>;
  resume(): Promise<void>;
  close(force?: boolean): Promise<void>;
}

/** One life of the queue's memory. When it changes, jobs may have been forgotten. */
export interface QueueGeneration {
  readonly id: string;
  /** Whether this very call found that a new life has begun. True for one caller of all processes. */
  readonly isNew: boolean;
}

export type ProcessJob = (group: DeliveryGroup) => Promise<void>;
export type OnError = (error: Error) => void;

export interface QueueBackend {
  readonly name: 'redis' | 'postgresql';
  openQueue(lane: QueueKind, onError: OnError): BullQueue;
  openWorker(lane: QueueKind, perform: ProcessJob, onError: OnError): BullWorker;
  generation(): Promise<QueueGeneration>;
  close(): Promise<void>;
}
