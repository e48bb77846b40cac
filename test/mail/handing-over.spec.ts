// @module-tag long
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AppProcess } from '#test/support/app-process.js';
import { startDesk } from '#test/support/desk.js';
import { addMailbox } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { NextHop } from '#test/support/next-hop.js';
import { formOf, postFiles } from '#test/support/upload.js';
import { type Reply, becomes, readMessage, replyFrom, sendAgain } from './mail-desk.js';

const desk = await startDesk({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } });
const { name: mailbox } = await addMailbox(desk);
afterAll(() => desk.stop());

let hop: NextHop;
const workers: AppProcess[] = [];
beforeEach(async () => {
  hop = await NextHop.start();
});
afterEach(async () => {
  await hop.stop();
  await Promise.all(workers.splice(0).map((worker) => worker.kill9()));
});

async function startWorker(query = ''): Promise<AppProcess> {
  const worker = await desk.worker({ SMTP_URL: `${hop.url}${query}` });
  workers.push(worker);
  return worker;
}

const reply = () => replyFrom(desk, mailbox);

/** Larger than the socket buffers, so the mail cannot end before the server reads it. */
const LARGE = randomBytes(15 * 1024 * 1024);

/** Queued again after the file was attached, because an email carries the files of that moment. */
async function largeReply(): Promise<Reply> {
  const made = await reply();
  await desk.sql.query("update outgoing_mails set state = 'failed' where message_id = $1", [made.id]);
  await postFiles(desk, made.id, formOf([{ name: 'film.bin', type: 'application/octet-stream', bytes: LARGE }]));
  await sendAgain(desk, made.id);
  return made;
}

/** A large reply that its worker is sending. */
async function heldReply() {
  const made = await largeReply();
  hop.answer('hold');
  const worker = await startWorker();
  await eventually(() => hop.holding === 1, { withinMs: 20_000 });
  return { made, worker };
}

const told = ({ id }: Reply) => readMessage(desk, id);
const inState = ({ id }: Reply, delivery: string) => becomes(desk, id, delivery);

const rowOf = async ({ id }: Reply) =>
  (await desk.sql.query('select * from outgoing_mails where message_id = $1', [id])).rows[0];

const hasTried = (made: Reply) =>
  eventually(async () => (await rowOf(made)).tries === 1 && (await rowOf(made)).lease === null);

/** Skips the lease, or the delay before the next attempt. */
const letTimePass = () =>
  desk.sql.query("update outgoing_mails set due_at = now(), leased_until = now() where state = 'queued'");

const endedFor = ({ to }: Reply): number => hop.ended.filter((one) => one === to).length;

describe('an email', () => {
  it('goes out again with its files if the worker dies before its end', async () => {
    const { made, worker: first } = await heldReply();
    await first.kill9();
    expect(await rowOf(made)).toMatchObject({ state: 'queued', handed_over_at: null });
    await letTimePass();
    await startWorker();
    const mail = await hop.mailTo(made.to);
    await inState(made, 'sent');
    hop.letGo();
    await eventually(() => hop.connections === 0);

    expect(hop.taken).toHaveLength(1);
    expect(Buffer.from(mail.parsed.attachments[0]!.content as ArrayBuffer).equals(LARGE)).toBe(true);
  });

  it('waits for a request to send it again if the worker dies after its end', async () => {
    const made = await reply();
    hop.answer('silent after the end');
    const first = await startWorker();
    await eventually(() => endedFor(made) === 1, { withinMs: 20_000 });
    await first.kill9();
    await letTimePass();
    await startWorker();
    const unsure = await inState(made, 'unsure');
    const later = await reply();
    await hop.mailTo(later.to);
    expect(endedFor(made)).toBe(1);

    const again = await sendAgain(desk, made.id);
    await inState(made, 'sent');

    expect(unsure.delivery_reason).toContain('before the mail server confirmed');
    expect([again.status, again.body.message.delivery]).toEqual([200, 'queued']);
    expect(hop.taken.filter(({ to }) => to === made.to)).toHaveLength(1);
    expect((await sendAgain(desk, made.id)).body.error).toBe('not_sent_again');
  });

  it.each([
    ['the connection is cut', 'cut after the end', ''],
    ['the server is silent', 'silent after the end', '?socketTimeout=500'],
  ] as const)('becomes unsure if %s after its end', async (_, answer, query) => {
    const made = await reply();
    hop.answer(answer);
    await startWorker(query);

    expect((await inState(made, 'unsure')).delivery_reason).toContain('connection ended');
    expect(endedFor(made)).toBe(1);
  });

  it('retries without becoming unsure if the server is silent before DATA', async () => {
    const made = await reply();
    hop.answer('silent at the recipient');
    await startWorker('?socketTimeout=500');
    await hasTried(made);
    expect(await rowOf(made)).toMatchObject({ state: 'queued', tries: 1, handed_over_at: null });
    await letTimePass();

    await inState(made, 'sent');
    expect(hop.taken).toHaveLength(1);
  });

  it('retries when the server postpones it, before or after its end', async () => {
    const made = await reply();
    hop.answer({ refuseRecipient: '450 4.2.0 Greylisted' }, { refuse: '451 4.3.0 Disk full' });
    await startWorker();
    const first = await hasTried(made);
    expect([first, await told(made)]).toMatchObject([true, { delivery: 'queued' }]);
    expect((await told(made)).delivery_reason).toContain('450 4.2.0 Greylisted');
    expect((await rowOf(made)).due_at.getTime() - Date.now()).toBeGreaterThan(50_000);
    await letTimePass();
    await eventually(async () => (await told(made)).delivery_reason?.includes('451 4.3.0 Disk full'));
    await letTimePass();

    expect((await inState(made, 'sent')).delivery_reason).toBeNull();
    expect(hop.taken).toHaveLength(1);
  });

  it('waits for an unreachable mail server, and does not tell accounts its address', async () => {
    const made = await reply();
    const port = Number(new URL(hop.url).port);
    await hop.stop();
    await startWorker();
    await hasTried(made);
    const { delivery_reason: reason } = await told(made);
    hop = await NextHop.start({ port });
    await letTimePass();

    expect(reason).toBe('connect ECONNREFUSED');
    expect((await inState(made, 'sent')).delivery_reason).toBeNull();
  });

  it.each([
    ['its recipient', { refuseRecipient: '550 5.1.1 No such user' }, '550 5.1.1 No such user'],
    ['the mail', { refuse: '554 5.7.1 Looks like spam' }, '554 5.7.1 Looks like spam'],
  ])('fails with the server’s reason if it rejects %s', async (_, answer, words) => {
    const receiver = await desk.receiver();
    await desk.webhook('customer_replied', receiver.url);
    const made = await reply();
    hop.answer(answer);
    await startWorker();

    expect((await inState(made, 'failed')).delivery_reason).toContain(words);
    expect(hop.taken).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });

  it('goes out once with two workers', async () => {
    await Promise.all([startWorker(), startWorker()]);
    const all = await Promise.all(Array.from({ length: 30 }, () => reply()));
    for (const made of all) await inState(made, 'sent');

    expect(hop.ended.toSorted()).toEqual(all.map(({ to }) => to).toSorted());
  });

  it('goes out once when a worker loses its lease', async () => {
    const { made, worker: still } = await heldReply();
    still.signal('SIGSTOP');
    await letTimePass();
    await startWorker();
    await inState(made, 'sent');
    still.signal('SIGCONT');
    hop.letGo();
    await eventually(() => hop.connections === 0, { withinMs: 20_000 });

    expect(endedFor(made)).toBe(1);
    expect((await told(made)).delivery).toBe('sent');
  });

  it('becomes free at once when its worker stops', async () => {
    const { made, worker: first } = await heldReply();

    expect(await first.stop()).toBe(0);
    expect(await rowOf(made)).toMatchObject({ state: 'queued', lease: null, tries: 0, reason: null });
  });
});
