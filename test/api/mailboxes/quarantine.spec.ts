import { beforeAll, describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addMailbox, newEmail } from '#test/support/desk-records.js';
import { mailText, processed, whatBecameOf } from '#test/support/mails.js';
import { seedAgent } from '#test/support/seed.js';

const desk = deskForFile();
let colleague: string;
beforeAll(async () => {
  await desk.worker();
  colleague = (await seedAgent(desk.sql, desk.account.id)).email;
});

/** Submits an email with the address of an agent. */
const hold = async (body = 'It was me, <b>really</b>.', mailbox = desk.account.mailbox.email) => {
  const mail = mailText({ From: `Maya <${colleague}>`, Subject: 'Let me in' }, body);
  return { mail, arrival: (await processed(desk, mail, { mailbox })).arrival };
};

describe('a quarantined email', () => {
  it('appears in the list with its text', async () => {
    const { arrival } = await hold();
    const [newest] = (await desk.client().get('/v1/arrivals?state=quarantined')).body.arrivals;

    expect(newest).toMatchObject({ id: arrival.id, state: 'quarantined', reason: 'agent_address', from: colleague });
    expect(newest).toMatchObject({ subject: 'Let me in', text: 'It was me, <b>really</b>.' });
  });

  it('becomes a ticket when it is released, once', async () => {
    const { arrival } = await hold();
    const released = await desk.client().post(`/v1/arrivals/${arrival.id}/release`);
    const became = await whatBecameOf(desk, released.body.arrival);
    const again = await desk.client().post(`/v1/arrivals/${arrival.id}/release`);

    expect(released.status).toBe(202);
    expect(became.arrival).toMatchObject({ id: arrival.id, state: 'processed', reason: null, text: null });
    expect(became.ticket).toMatchObject({ title: 'Let me in', message_count: 1 });
    expect(became.message).toMatchObject({ agent_response: false, channel: 'email' });
    expect([again.status, again.body.error]).toEqual([409, 'mail_not_quarantined']);
  });

  it('becomes a ticket of the original sender when an agent forwarded it', async () => {
    const email = newEmail();
    const forward = `Please see below.\n\n---------- Forwarded message ---------\nFrom: Maya <${email}>\nDate: Mon, 23 Nov 2026\nSubject: Order\n\nWhere is it?`;
    const { arrival } = await hold(forward);
    const released = await desk.client().post(`/v1/arrivals/${arrival.id}/release`);
    const { ticket, message } = await whatBecameOf(desk, released.body.arrival);

    expect(ticket.links.customer.href).toContain(email);
    expect(message).toMatchObject({ agent_response: false, channel: 'email' });
  });

  it('disappears when it is discarded, and counts as a duplicate when it arrives again', async () => {
    const { arrival, mail } = await hold();
    const discarded = await desk.client().post(`/v1/arrivals/${arrival.id}/discard`);

    expect(discarded.body.arrival).toMatchObject({ state: 'discarded', text: null });
    expect((await processed(desk, mail)).arrival.state).toBe('duplicate');
    const { rows } = await desk.sql.query('select due_at <= $2 as due from stray_files where id = $1', [
      arrival.id,
      desk.clock.now(),
    ]);
    expect(rows).toEqual([{ due: true }]);
    expect((await desk.client().post(`/v1/arrivals/${arrival.id}/release`)).status).toBe(409);
  });

  it('accepts one of several simultaneous decisions', async () => {
    const { arrival } = await hold();
    const paths = ['release', 'discard', 'release', 'discard'].map((what) => `/v1/arrivals/${arrival.id}/${what}`);
    const statuses = (await Promise.all(paths.map((path) => desk.client().post(path)))).map(({ status }) => status);

    expect(statuses.filter((status) => status === 409)).toHaveLength(3);
  });

  it('prevents its mailbox from being deleted', async () => {
    const mailbox = await addMailbox(desk, { name: newEmail('Quarantine') });
    const { arrival } = await hold('In the way.', mailbox.email);
    const remove = () => desk.client().delete(`/v1/mailboxes/${mailbox.id}`);

    expect((await remove()).body.error).toBe('mailbox_in_use');
    await desk.client().post(`/v1/arrivals/${arrival.id}/discard`);
    expect((await remove()).status).toBe(204);
  });
});
