import { setTimeout as wait } from 'node:timers/promises';
import { residentMb } from '../cpu.js';
import type { BenchProcess } from '../bench-process.js';
import type { BenchSetup } from '../delivery/bench-setup.js';
import type { MailDesk } from './mail-desk.js';

/** The limit of one worker; more mailboxes need more workers. */
const MAX_OF_WORKER = 200;
const CONNECT_MS = 300_000;
/** Time for memory used while connecting to be released. */
const REST_MS = 20_000;

export interface IdleMemory {
  readonly mailboxes: number;
  readonly workers: number;
  /** Per worker, the median of several. */
  readonly mbEach: number;
  readonly mbInAll: number;
}

/** Cost of workers that wait for mail of many mailboxes by IMAP. Each count uses newly started workers. */
export async function measureIdleMailboxes(
  setup: BenchSetup,
  desk: MailDesk,
  counts: readonly number[],
): Promise<IdleMemory[]> {
  const { port } = await setup.process('bench/mail/idle-server.js', {}).nextJsonWith<{ port: number }>('port');
  const measured: IdleMemory[] = [];
  let made = 0;
  for (const mailboxes of counts) {
    for (; made < mailboxes; made++) await addMailbox(desk, made, port);
    await setup.sql.query('update imap_accounts set connected_at = null');
    const workers: BenchProcess[] = [];
    for (let count = 0; count < Math.max(1, Math.ceil(mailboxes / MAX_OF_WORKER)); count++)
      workers.push(await desk.worker());
    await allConnected(setup, mailboxes);
    await wait(REST_MS);
    const mb = workers.map(({ pid }) => residentMb(pid)).toSorted((a, b) => a - b);
    for (const worker of workers) await worker.stop();
    const mbInAll = mb.reduce((sum, one) => sum + one, 0);
    measured.push({ mailboxes, workers: workers.length, mbEach: mb[mb.length >> 1]!, mbInAll });
  }
  return measured;
}

async function addMailbox(desk: MailDesk, place: number, port: number): Promise<void> {
  const name = `idle-${place}`;
  await desk.call('POST', '/v1/mailboxes', { name, email: `${name}@acme.test` });
  const server = { host: '127.0.0.1', port, security: 'none', username: 'ana', password: 'right' };
  await desk.call('PUT', `/v1/mailboxes/${name}/imap`, server);
}

async function allConnected({ sql }: BenchSetup, count: number): Promise<void> {
  for (const end = Date.now() + CONNECT_MS; Date.now() < end; await wait(500)) {
    const text = 'select count(*)::int as connected from imap_accounts where connected_at is not null';
    const { rows } = await sql.query<{ connected: number }>(text);
    if (rows[0]!.connected >= count) return;
  }
  throw new Error(`Fewer than ${count} mailboxes were connected within five minutes.`);
}
