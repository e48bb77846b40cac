export type FaultTarget = 'worker' | 'api' | 'redis' | 'postgres' | 'proxy' | 'receiver' | 'mailbox';

/** Instances of each kind. */
export const TARGET_COUNTS: Readonly<Record<FaultTarget, number>> = {
  worker: 2,
  api: 2,
  redis: 1,
  postgres: 1,
  proxy: 1,
  receiver: 3,
  mailbox: 1,
};

export type BackendKind = 'redis' | 'postgres';
