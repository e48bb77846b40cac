import type { Settings } from '#libs/settings';
import type { BacklogState, QueueState } from '#libs/delivery';
import { describe, expect, it } from 'vitest';
import {
  checkBacklog,
  checkClockSkew,
  checkDatabase,
  checkSharedQueue,
  checkRedis,
  checkSecrets,
  checkWorkers,
} from './checks.js';
import { checkDisk } from './files.js';
import { type Verdict, worst } from './finding.js';
import { checkImap, checkMail } from './mail.js';

const redis = (changes: Partial<QueueState> = {}): QueueState => ({
  version: '7.0.15',
  evictionPolicy: 'noeviction',
  keepsOnDisk: true,
  hasWorkers: true,
  refusedToRequests: undefined,
  ...changes,
});

const backlog = (changes: Partial<BacklogState> = {}): BacklogState => ({
  owed: { due: 0, queued: 0, waiting: 0, paused: 0, retry_after: 0, slow: 0, ended: 0 },
  unrelayed: 0,
  oldestOwedSeconds: 0,
  due: 0,
  oldestDueSeconds: 0,
  oldestUnrelayedSeconds: 0,
  ...changes,
});

const MIB = 1024 * 1024;
const disk = (free: number, reserve = 200) => ({ freeBytes: free * MIB, reserveBytes: reserve * MIB });

const sealed = (keyId: string, opens = true) => ({ keyId, count: 3, opens });

const imap = { failing: 1, connected: 1, waiting: 0 };

const finding = (verdict: Verdict) => ({ verdict, name: 'x', words: '' });

describe('the doctor', () => {
  it.each([
    ['a superuser in production', checkDatabase('18.4', true, { NODE_ENV: 'production' } as Settings), 'amber'],
    ['an owner in production', checkDatabase('18.4', false, { NODE_ENV: 'production' } as Settings), 'green'],
    ['a superuser in development', checkDatabase('18.4', true, { NODE_ENV: 'development' } as Settings), 'green'],
    ['Redis that evicts', checkRedis(redis({ evictionPolicy: 'allkeys-lru' })), 'red'],
    ['Redis without persistence', checkRedis(redis({ keepsOnDisk: false })), 'amber'],
    ['Redis with the right settings', checkRedis(redis()), 'green'],
    ['a queue that workers use', checkSharedQueue(redis(), 1), 'green'],
    ['a queue that running workers do not use', checkSharedQueue(redis({ hasWorkers: false }), 1), 'red'],
    ['a queue without workers', checkSharedQueue(redis({ hasWorkers: false }), 0), 'green'],
    ['clocks that agree', checkClockSkew(-40), 'green'],
    ['clocks that differ by more than a second', checkClockSkew(-1_200), 'amber'],
    ['clocks that differ by two seconds', checkClockSkew(2_000), 'red'],
    ['old retries', checkBacklog(backlog({ oldestOwedSeconds: 200_000 })), 'green'],
    ['deliveries that wait for workers', checkBacklog(backlog({ oldestDueSeconds: 60 })), 'amber'],
    ['events that are not relayed', checkBacklog(backlog({ oldestUnrelayedSeconds: 900 })), 'red'],
    ['a full disk', checkDisk(disk(12), '/data'), 'red'],
    ['a disk below the reserve', checkDisk(disk(199), '/data'), 'red'],
    ['a disk that is filling up', checkDisk(disk(500), '/data'), 'amber'],
    ['a large disk that is filling up', checkDisk(disk(2000, 1024), '/data'), 'amber'],
    ['a disk with room', checkDisk(disk(5000), '/data'), 'green'],
    ['mailboxes whose servers answer', checkImap({ ...imap, silent: 0, longest: 20 }), 'green'],
    ['mails that are not late', checkMail({ arriving: 2, leaving: 60, quarantined: 3 }), 'green'],
    ['an email that is not processed', checkMail({ arriving: 400, leaving: 0, quarantined: 0 }), 'amber'],
    ['an email that is not processed for an hour', checkMail({ arriving: 4000, leaving: 0, quarantined: 0 }), 'red'],
    ['an email that is not sent', checkMail({ arriving: 0, leaving: 4000, quarantined: 0 }), 'amber'],
    ['a mailbox whose server does not answer', checkImap({ ...imap, silent: 1, longest: 3_000 }), 'red'],
    ['no worker', checkWorkers([]), 'red'],
    ['workers of one version', checkWorkers(['1.0.0', '1.0.0']), 'green'],
    ['workers of two versions', checkWorkers(['1.0.0', '1.1.0']), 'amber'],
    ['no secrets yet', checkSecrets([], 'k1'), 'green'],
    ['secrets of the newest key', checkSecrets([sealed('k1')], 'k1'), 'green'],
    ['secrets of an older key', checkSecrets([sealed('k1'), sealed('k2')], 'k2'), 'amber'],
    ['secrets whose key is gone', checkSecrets([sealed('k0', false), sealed('k2')], 'k2'), 'red'],
  ])('judges %s', (_name, { verdict }, expected) => {
    expect(verdict).toBe(expected);
  });

  it('sums up findings as the worst verdict', () => {
    expect(worst([finding('green'), finding('red'), finding('amber')])).toBe('red');
    expect(worst([finding('green'), finding('amber')])).toBe('amber');
    expect(worst([])).toBe('green');
  });
});
