import { readSettings } from '#libs/settings';
import type { BacklogState, LiveWorker, QueueState } from '#libs/webhooks';
import { describe, expect, it } from 'vitest';
import { type Verdict, worst } from './finding.js';
import {
  judgeBacklog,
  judgeMark,
  judgeRedis,
  judgeSecrets,
  judgeSettings,
  judgeSkew,
  judgeWorkers,
} from './judgements.js';

const redis = (changes: Partial<QueueState> = {}): QueueState => ({
  version: '7.0.15',
  evictionPolicy: 'noeviction',
  keepsOnDisk: true,
  mark: 'current',
  ...changes,
});

const backlog = (changes: Partial<BacklogState> = {}): BacklogState => ({
  owed: { due: 0, queued: 0, waiting: 0, paused: 0, paced: 0, slow: 0, ended: 0 },
  unrelayed: 0,
  oldestOwedSeconds: 0,
  oldestDueSeconds: 0,
  oldestUnrelayedSeconds: 0,
  ...changes,
});

const worker = (version = '1.0.0'): LiveWorker => ({
  host: 'a',
  pid: 1,
  version,
  startedAt: new Date(0),
  seenAt: new Date(0),
});

const sealed = (keyId: string, opens = true) => ({ keyId, count: 3, opens });

const settings = (environment: Record<string, string> = {}) =>
  readSettings({ DATABASE_URL: 'postgres://localhost/x', ...environment });

const PRODUCTION = { NODE_ENV: 'production', SECRETS_KEY: `k1:${Buffer.alloc(32).toString('base64')}` };

const finding = (verdict: Verdict) => ({ verdict, name: 'x', words: '' });

describe('the doctor finds', () => {
  it.each([
    ['Redis that evicts', judgeRedis(redis({ evictionPolicy: 'allkeys-lru' })), 'red'],
    ['Redis that keeps nothing', judgeRedis(redis({ keepsOnDisk: false })), 'amber'],
    ['Redis as it should be', judgeRedis(redis()), 'green'],
    ['a queue that workers use', judgeMark(redis(), 1), 'green'],
    ['a queue that working workers do not use', judgeMark(redis({ mark: 'missing' }), 1), 'red'],
    ['a queue that nobody uses yet', judgeMark(redis({ mark: 'missing' }), 0), 'green'],
    ['Redis that was just restarted', judgeMark(redis({ mark: 'stale' }), 1), 'amber'],
    ['clocks that agree', judgeSkew(-40), 'green'],
    ['clocks that differ by seconds', judgeSkew(-5_000), 'amber'],
    ['clocks that differ by minutes', judgeSkew(61_000), 'red'],
    ['old retries', judgeBacklog(backlog({ oldestOwedSeconds: 200_000 })), 'green'],
    ['deliveries that wait for workers', judgeBacklog(backlog({ oldestDueSeconds: 60 })), 'amber'],
    ['events that nobody relays', judgeBacklog(backlog({ oldestUnrelayedSeconds: 900 })), 'red'],
    ['no worker', judgeWorkers([]), 'red'],
    ['workers of one version', judgeWorkers([worker(), worker()]), 'green'],
    ['workers of two versions', judgeWorkers([worker(), worker('1.1.0')]), 'amber'],
    ['no secrets yet', judgeSecrets([], 'k1'), 'green'],
    ['secrets of the newest key', judgeSecrets([sealed('k1')], 'k1'), 'green'],
    ['secrets of an older key', judgeSecrets([sealed('k1'), sealed('k2')], 'k2'), 'amber'],
    ['secrets whose key is gone', judgeSecrets([sealed('k0', false), sealed('k2')], 'k2'), 'red'],
    ['settings for development', judgeSettings(settings()), 'green'],
    ['production without mail', judgeSettings(settings(PRODUCTION)), 'amber'],
    ['production', judgeSettings(settings({ ...PRODUCTION, SMTP_URL: 'smtp://localhost' })), 'green'],
    ['retries that outlast what is kept', judgeSettings(settings({ RETENTION_DAYS: '2' })), 'amber'],
  ])('%s', (_name, { verdict }, expected) => {
    expect(verdict).toBe(expected);
  });

  it('the worst of all', () => {
    expect(worst([finding('green'), finding('red'), finding('amber')])).toBe('red');
    expect(worst([finding('green'), finding('amber')])).toBe('amber');
    expect(worst([])).toBe('green');
  });
});
