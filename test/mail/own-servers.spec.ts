// @module-tag long
import { afterAll, describe, expect, it } from 'vitest';
import { selfSigned } from '../receivers/certificate.js';
import { startDesk } from '#test/support/desk.js';
import { addMailbox } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { workersKnowEachOther } from '#test/support/heartbeats.js';
import { NextHop } from '#test/support/next-hop.js';
import { type SeededAccount, seedAccount } from '#test/support/seed.js';
import { BOTH_LOOPBACKS, readMessage, replyFrom, startMailDesk, trusting, useServer } from './mail-desk.js';

const SIGN_IN = { user: 'desk@acme.test', password: 'correct horse' };

const certificate = selfSigned();
const own = await NextHop.start({ signIn: { ...SIGN_IN, ...certificate } });
const { desk, hop: shared } = await startMailDesk(
  { MAIL_ALLOWED_NETWORKS: BOTH_LOOPBACKS },
  await trusting(certificate),
);
afterAll(() => own.stop());

const portOf = ({ url }: NextHop): number => Number(new URL(url).port);

async function mailboxSending(smtp?: object): Promise<{ id: string; name: string; email: string }> {
  const mailbox = await addMailbox(desk);
  if (smtp) await useServer(desk, mailbox.id, smtp);
  return mailbox;
}

const replyOf = ({ name }: { name: string }) => replyFrom(desk, name);

const signingIn = (password = SIGN_IN.password): Record<string, unknown> => ({
  host: 'localhost',
  port: portOf(own),
  security: 'starttls',
  username: SIGN_IN.user,
  password,
});

describe('a mailbox with its own mail server', () => {
  it('sends through it, signed in and encrypted, and other mail through the installation’s server', async () => {
    const [mine, other] = [await mailboxSending(signingIn()), await mailboxSending()];
    const [bySelf, byShared] = [await replyOf(mine), await replyOf(other)];
    await Promise.all([own.mailTo(bySelf.to), shared.mailTo(byShared.to)]);
    await desk.client().delete(`/v1/mailboxes/${mine.id}/smtp`);
    const afterwards = await replyOf(mine);
    await shared.mailTo(afterwards.to);

    expect(own.taken.map(({ to }) => to)).toEqual([bySelf.to]);
    expect(own.taken[0]!.parsed.from?.address).toBe(mine.email);
  });

  it('shows the server’s response to the password, and retries', async () => {
    const mine = await mailboxSending(signingIn('wrong'));
    const { id } = await replyOf(mine);
    const message = await eventually(async () => {
      const now = await readMessage(desk, id);
      return now.delivery_reason !== null && now;
    });

    expect([message.delivery, message.delivery_reason]).toEqual(['queued', expect.stringContaining('Wrong password')]);
  });

  it('never shows the password, and sends it to no other server', async () => {
    const mine = await mailboxSending(signingIn());
    const address = `/v1/mailboxes/${mine.id}/smtp`;
    const { password, ...kept } = signingIn();
    const [read, same] = [await desk.client().get(address), await desk.client().put(address, kept)];
    const elsewhere = await desk.client().put(address, { ...kept, host: 'mail.example.com' });
    const unencrypted = await desk.client().put(address, { ...signingIn(), security: 'none' });
    const { rows } = await desk.sql.query<{ sealed: Buffer }>('select * from mailbox_smtp where id = $1', [mine.id]);

    expect([read.status, read.body.smtp]).toEqual([
      200,
      expect.objectContaining({ host: 'localhost', username: SIGN_IN.user, has_password: true }),
    ]);
    expect([read.text, same.text, JSON.stringify(rows)].some((text) => text.includes(String(password)))).toBe(false);
    expect(same.body.smtp.has_password).toBe(true);
    expect([elsewhere.status, elsewhere.body.errors]).toEqual([
      422,
      [expect.objectContaining({ field: 'password', code: 'required' })],
    ]);
    expect(unencrypted.body.errors).toEqual([expect.objectContaining({ field: 'security', code: 'unencrypted' })]);
  });
});

describe('an installation without MAIL_ALLOWED_NETWORKS', () => {
  it('connects to public addresses only, by any name', async () => {
    const inside = await NextHop.start();
    const strict = await startDesk({ settings: { SMTP_URL: shared.url, MAIL_ALLOWED_NETWORKS: '' } });
    await strict.worker();
    const hosts = ['127.0.0.1', 'localhost', '::ffff:127.0.0.1', '169.254.169.254', '10.0.0.1'];
    const replies: string[] = [];
    for (const host of hosts) {
      const { id, name } = await addMailbox(strict);
      await useServer(strict, id, { host, port: portOf(inside), security: 'none' });
      replies.push((await replyFrom(strict, name)).id);
    }
    const reasons = await eventually(
      async () => {
        const all = (await Promise.all(replies.map((id) => readMessage(strict, id)))).map(
          ({ delivery_reason: reason }) => reason as string | null,
        );
        return !all.includes(null) && all;
      },
      { withinMs: 20_000 },
    );
    const { ended } = inside;
    await strict.stop();
    await inside.stop();

    expect(reasons).toEqual(
      hosts.map((host) => expect.stringContaining(`No connection to ${host}: the address was refused`)),
    );
    expect(ended).toEqual([]);
  });
});

describe('an account with 10,000 queued emails and hanging servers', () => {
  it('does not delay the replies of another account', async () => {
    const hanging = await NextHop.start();
    hanging.answer(...Array.from({ length: 100 }, () => 'silent after the end' as const));
    const busy = await seedAccount(desk.sql, { name: 'Busy' });
    for (let count = 0; count < 4; count++) await oweFrom(busy, portOf(hanging), count);
    await oweFrom(busy, null, 0, 10_000);
    await eventually(() => hanging.ended.length >= 8, { withinMs: 20_000 });

    const startedAt = Date.now();
    const { to } = await replyOf(await mailboxSending());
    const { to: byOwn } = await replyOf(await mailboxSending(signingIn()));
    await Promise.all([shared.mailTo(to), own.mailTo(byOwn)]);
    const tookMs = Date.now() - startedAt;
    const { rows } = await desk.sql.query<{ waiting: number }>(
      "select count(*)::int as waiting from outgoing_mails where account_id = $1 and state = 'queued'",
      [busy.id],
    );
    const atOnce = hanging.ended.length;
    await desk.sql.query('delete from outgoing_mails where account_id = $1', [busy.id]);
    await hanging.stop();

    expect(tookMs).toBeLessThan(5_000);
    expect(rows[0]!.waiting).toBeGreaterThan(5_000);
    expect(atOnce).toBe(8);
  });

  it('opens no more connections to a server with two workers than with one', async () => {
    const [hanging, other] = [await NextHop.start(), await NextHop.start()];
    hanging.answer(...Array.from({ length: 100 }, () => 'silent after the end' as const));
    const busy = await seedAccount(desk.sql, { name: 'Busy' });
    const second = await desk.worker();
    await workersKnowEachOther(desk);
    await oweFrom(busy, portOf(hanging), 0);
    await eventually(() => hanging.ended.length >= 2, { withinMs: 20_000 });
    await oweFrom(busy, portOf(other), 1, 10);
    await eventually(() => other.taken.length === 10, { withinMs: 20_000 });
    const atOnce = hanging.ended.length;
    await desk.sql.query('delete from outgoing_mails where account_id = $1', [busy.id]);
    await hanging.stop();
    await other.stop();
    await second.stop();

    expect(atOnce).toBe(2);
  });
});

/** Queues emails of a mailbox with its own server at the port, or without one. */
async function oweFrom({ id: account }: SeededAccount, port: number | null, place: number, many = 50): Promise<void> {
  const email = `busy-${port === null ? 'shared' : place}@busy.test`;
  await desk.sql.query(
    `with box as (
       insert into mailboxes (id, account_id, name, email, replies_by_mail, has_smtp, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, $2, true, $3::int is not null, now(), now()) returning id
     ), server as (
       insert into mailbox_smtp (id, account_id, host, port, security, created_at, updated_at)
       select id, $1, '127.0.0.1', $3, 'none', now(), now() from box where $3::int is not null
     ), customer as (
       insert into customers (id, account_id, email, created_at, updated_at)
       values (gen_random_uuid(), $1, $2, now(), now()) returning id
     ), ticket as (
       insert into tickets (id, account_id, number, state, mailbox_id, customer_id, created_at, updated_at)
       select gen_random_uuid(), $1, 1000 + $4, 'opened', box.id, customer.id, now(), now() from box, customer returning id
     ), written as (
       insert into messages (id, account_id, ticket_id, note, body, plain_text_body, shown_as, created_at, updated_at)
       select gen_random_uuid(), $1, ticket.id, false, 'Hello', 'Hello', 'text', now(), now()
       from ticket, generate_series(1, $5) returning id
     )
     insert into outgoing_mails (id, account_id, lane, kind, state, recipient, message_id, due_at, queued_at)
     select gen_random_uuid(), $1, box.id, 'message', 'queued', 'busy@client.test', written.id, now(), now()
     from box, written`,
    [account, email, port, port === null ? 99 : place, many],
  );
}
