import { describe, expect, it } from 'vitest';
import type { MailboxCheck } from './mailbox-check.statements.js';
import { progressOf } from './mailbox-check-progress.js';

const START = new Date('2026-03-02T10:00:00Z');
const after = (seconds: number): Date => new Date(START.getTime() + seconds * 1000);

const IMAP = { host: 'imap.desk.test', folder: 'INBOX', state: 'connected', lastError: null } as const;
const QUEUED: MailboxCheck = {
  startedAt: START,
  arrivedAt: null,
  source: null,
  email: 'support@desk.test',
  mailState: 'queued',
  reason: null,
  endedAt: null,
  smtpHost: null,
  imap: null,
};
const SENT: MailboxCheck = { ...QUEUED, mailState: 'sent', endedAt: after(3) };
const BACK: MailboxCheck = { ...SENT, arrivedAt: after(5), source: 'smtp' };

const ended = (mailState: MailboxCheck['mailState'], reason: string | null = '550 No'): MailboxCheck => ({
  ...SENT,
  mailState,
  reason,
});
const imap = (changes: Partial<NonNullable<MailboxCheck['imap']>>, of = SENT): MailboxCheck => ({
  ...of,
  imap: { ...IMAP, ...changes },
});

describe('a mailbox check', () => {
  it.each<[string, MailboxCheck, number, string, string]>([
    ['waits to be sent', QUEUED, 60, 'running', 'send waiting'],
    ['is not sent in two minutes', QUEUED, 120, 'failed', 'send failed'],
    ['waits for its mail to return', SENT, 122, 'running', 'send done, return waiting'],
    ['fails without its mail after two minutes', SENT, 123, 'failed', 'send done, return failed'],
    ['passes once its mail is back', BACK, 500, 'passed', 'send done, return done'],
    ['passes when its mail is back late', { ...BACK, arrivedAt: after(400) }, 500, 'passed', 'send done, return done'],
    [
      'passes when its mail returns before the send is recorded',
      { ...BACK, mailState: 'queued' },
      5,
      'passed',
      'send done, return done',
    ],
    ['is refused', ended('failed'), 4, 'failed', 'send failed'],
    ['is undeliverable', ended('bounced'), 4, 'failed', 'send failed'],
    ['is unsure', ended('unsure'), 4, 'failed', 'send failed'],
    ['is caught by a trial', ended('caught'), 4, 'failed', 'send failed'],
    ['signs in', imap({}), 4, 'running', 'sign_in done, send done, return waiting'],
    [
      'has no connection',
      imap({ state: 'failing', lastError: 'No.' }),
      4,
      'running',
      'sign_in failed, send done, return waiting',
    ],
    ['is paused', imap({ state: 'paused' }, BACK), 4, 'failed', 'sign_in failed, send done, return done'],
    ['waits for a worker', imap({ state: 'waiting' }), 4, 'running', 'sign_in waiting, send done, return waiting'],
    ['has no worker', imap({ state: 'waiting' }), 123, 'failed', 'sign_in failed, send done, return failed'],
    [
      'passes when its mail came by IMAP',
      imap({ state: 'failing' }, { ...BACK, source: 'imap' }),
      9,
      'passed',
      'sign_in done, send done, return done',
    ],
  ])('%s', (_, test, seconds, result, words) => {
    const { steps, ...progress } = progressOf(test, after(seconds));

    expect(progress.result).toBe(result);
    expect(steps.map(({ name, state }) => `${name} ${state}`).join(', ')).toBe(words);
  });

  it('reports what failed and how to fix it', () => {
    const failures = [
      ended('failed'),
      { ...ended('failed'), smtpHost: 'smtp.desk.test' },
      SENT,
      imap({}),
      ended('bounced'),
    ]
      .flatMap((test) => progressOf(test, after(200)).steps)
      .filter(({ state }) => state === 'failed');

    expect(failures.map(({ text }) => text)).toEqual([
      'The email was not sent. 550 No. Ask the operator to check SMTP_URL and its server, or enter another server under “Send email (SMTP)”.',
      'The email was not sent. 550 No. Correct the settings under “Send email (SMTP)” or fix the server.',
      'The email was sent but did not arrive within two minutes. Does the mail server for support@desk.test deliver to this installation? Forward mail from that server to this installation, or fetch it by IMAP.',
      'The email was sent but did not arrive within two minutes. Does the mail server for support@desk.test deliver to this installation? It is not in the folder INBOX at imap.desk.test. Check other folders, such as spam.',
      'The email bounced. 550 No. Does support@desk.test exist?',
    ]);
  });
});
