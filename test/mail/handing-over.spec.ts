// @module-tag long
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AppProcess } from '#test/support/app-process.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { NextHop } from '#test/support/next-hop.js';
import { formOf, postFiles } from '#test/support/upload.js';

let desk: Desk;
let mailbox: string;
beforeAll(async () => {
  desk = await startDesk({ settings: { SMTP_URL: 'smtp://127.0.0.1:9' } });
  mailbox = (await addMailbox(desk)).name as string;
});
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

interface Reply {
  readonly id: string;
  readonly to: string;
}

async function reply(): Promise<Reply> {
  const to = newEmail();
  const { number } = await startTicket(desk, { from: to, mailbox });
  const { body } = await desk.client().post(`/v1/tickets/${number}/messages`, { body: 'It is on its way.' });
  return { id: body.message.id as string, to };
}

/** Larger than the socket buffers, so the mail cannot end before the server reads it. */
const LARGE = randomBytes(15 * 1024 * 1024);

/** Queued again after the file was attached, because an email carries the files of that moment. */
async function largeReply(): Promise<Reply> {
  const made = await reply();
  await desk.sql.query("update outgoing_mails set state = 'failed' where message_id = $1", [made.id]);
  await postFiles(desk, made.id, formOf([{ name: 'film.bin', type: 'application/octet-stream', bytes: LARGE }]));
  await desk.client().post(`/v1/messages/${made.id}/send_again`);
  return made;
}

const told = async ({ id }: Reply): Promise<{ delivery: string; delivery_reason: string | null }> =>
  (await desk.client().get(`/v1/messages/${id}`)).body.message;

const becomes = (made: Reply, delivery: string) =>
  eventually(async () => ((await told(made)).delivery === delivery ? told(made) : undefined), { withinMs: 20_000 });

const rowOf = async ({ id }: Reply) =>
  (await desk.sql.query('select * from outgoing_mails where message_id = $1', [id])).rows[0];

/** Skips the lease, or the delay before the next attempt. */
const letTimePass = () =>
  desk.sql.query("update outgoing_mails set due_at = now(), leased_until = now() where state = 'queued'");

const endedFor = ({ to }: Reply): number => hop.ended.filter((one) => one === to).length;

describe('an email', () => {
  it('goes out again with its files if the worker dies before its end', async () => {
    const made = await largeReply();
    hop.answer('hold');
    const first = await startWorker();
    await eventually(() => hop.holding === 1, { withinMs: 20_000 });
    await first.kill9();
    expect(await rowOf(made)).toMatchObject({ state: 'queued', handed_over_at: null });
    await letTimePass();
    await startWorker();
    const mail = await hop.mailTo(made.to);
    await becomes(made, 'sent');
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
    const unsure = await becomes(made, 'unsure');
    const later = await reply();
    await hop.mailTo(later.to);
    expect(endedFor(made)).toBe(1);

    const again = await desk.client().post(`/v1/messages/${made.id}/send_again`);
    await becomes(made, 'sent');

    expect(unsure.delivery_reason).toContain('before the mail server confirmed');
    expect([again.status, again.body.message.delivery]).toEqual([200, 'queued']);
    expect(hop.taken.filter(({ to }) => to === made.to)).toHaveLength(1);
    expect((await desk.client().post(`/v1/messages/${made.id}/send_again`)).body.error).toBe('not_sent_again');
  });

  it('becomes unsure if the connection is cut after its end', async () => {
    const made = await reply();
    hop.answer('cut after the end');
    await startWorker();

    expect((await becomes(made, 'unsure')).delivery_reason).toContain('connection ended');
    expect(endedFor(made)).toBe(1);
  });

  it('retries without becoming unsure if the server is silent before DATA', async () => {
    const made = await reply();
    hop.answer('silent at the recipient');
    await startWorker('?socketTimeout=500');
    await eventually(async () => (await rowOf(made)).tries === 1 && (await rowOf(made)).lease === null);
    expect(await rowOf(made)).toMatchObject({ state: 'queued', tries: 1, handed_over_at: null });
    await letTimePass();

    await becomes(made, 'sent');
    expect(hop.taken).toHaveLength(1);
  });

  it('becomes unsure if the server is silent after its end', async () => {
    const made = await reply();
    hop.answer('silent after the end');
    await startWorker('?socketTimeout=500');

    await becomes(made, 'unsure');
    expect(endedFor(made)).toBe(1);
  });

  it('retries when the server postpones it, before or after its end', async () => {
    const made = await reply();
    hop.answer({ refuseRecipient: '450 4.2.0 Greylisted' }, { refuse: '451 4.3.0 Disk full' });
    await startWorker();
    const first = await eventually(async () => (await rowOf(made)).tries === 1 && (await rowOf(made)).lease === null);
    expect([first, await told(made)]).toMatchObject([true, { delivery: 'queued' }]);
    expect((await told(made)).delivery_reason).toContain('450 4.2.0 Greylisted');
    expect((await rowOf(made)).due_at.getTime() - Date.now()).toBeGreaterThan(50_000);
    await letTimePass();
    await eventually(async () => (await told(made)).delivery_reason?.includes('451 4.3.0 Disk full'));
    await letTimePass();

    expect((await becomes(made, 'sent')).delivery_reason).toBeNull();
    expect(hop.taken).toHaveLength(1);
  });

  it('waits for an unreachable mail server, and does not tell accounts its address', async () => {
    const made = await reply();
    const port = Number(new URL(hop.url).port);
    await hop.stop();
    await startWorker();
    await eventually(async () => (await rowOf(made)).tries === 1 && (await rowOf(made)).lease === null);
    const { delivery_reason: reason } = await told(made);
    hop = await NextHop.start({ port });
    await letTimePass();

    expect(reason).toBe('connect ECONNREFUSED');
    expect((await becomes(made, 'sent')).delivery_reason).toBeNull();
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

    expect((await becomes(made, 'failed')).delivery_reason).toContain(words);
    expect(hop.taken).toEqual([]);
    expect(receiver.requests).toEqual([]);
  });

  it('goes out once with two workers', async () => {
    await Promise.all([startWorker(), startWorker()]);
    const all = await Promise.all(Array.from({ length: 30 }, () => reply()));
    for (const made of all) await becomes(made, 'sent');

    expect(hop.ended.toSorted()).toEqual(all.map(({ to }) => to).toSorted());
  });

  it('goes out once when a worker loses its lease', async () => {
    const made = await largeReply();
    hop.answer('hold');
    const still = await startWorker();
    await eventually(() => hop.holding === 1, { withinMs: 20_000 });
    still.signal('SIGSTOP');
    await letTimePass();
    await startWorker();
    await becomes(made, 'sent');
    still.signal('SIGCONT');
    hop.letGo();
    await eventually(() => hop.connections === 0, { withinMs: 20_000 });

    expect(endedFor(made)).toBe(1);
    expect((await told(made)).delivery).toBe('sent');
  });

  it('becomes free at once when its worker stops', async () => {
    const made = await largeReply();
    hop.answer('hold');
    const first = await startWorker();
    await eventually(() => hop.holding === 1, { withinMs: 20_000 });

    expect(await first.stop()).toBe(0);
    expect(await rowOf(made)).toMatchObject({ state: 'queued', lease: null, tries: 0, reason: null });
  });
});
