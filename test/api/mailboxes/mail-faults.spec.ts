import { FileStore } from '#libs/storage';
import { describe, expect, it } from 'vitest';
import { deskForFile } from '#test/support/desk-for-file.js';
import { addMailbox, newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, postMail, processed, whatBecameOf } from '#test/support/mails.js';

const desk = deskForFile();

describe('an accepted mail', () => {
  it('becomes a ticket with a notice when its bytes are lost', async () => {
    const { arrival } = (await postMail(desk, mailText())).body;
    await desk.api.get(FileStore, { strict: false }).remove({ accountId: desk.account.id, id: arrival.id });
    await desk.worker();
    const became = await whatBecameOf(desk, arrival);

    expect(became.arrival).toMatchObject({ state: 'unreadable', reason: 'lost' });
    expect(became.message).toMatchObject({ attachments: [] });
    expect(became.message.body).toContain('missing from the storage');
  });

  it('becomes a ticket with any name of the sender', async () => {
    const from = newEmail();
    const name = `a${'😀'.repeat(150)} b${'😀'.repeat(150)}`;
    const { arrival } = await processed(desk, mailText({ From: `"${name}" <${from}>` }));
    const { customer } = (await desk.client().get(`/v1/customers/${from}`)).body;

    expect(arrival.state).toBe('processed');
    expect(customer).toMatchObject({ first_name: `a${'😀'.repeat(99)}`, last_name: `b${'😀'.repeat(99)}` });
  });
});

describe('an email for a mailbox that is deleted during the upload', () => {
  it('returns 409 and leaves no bytes', async () => {
    const { id } = await addMailbox(desk);
    await desk.sql.query('begin');
    await desk.sql.query('delete from mailboxes where id = $1', [id]);
    const posted = postMail(desk, mailText(), { mailbox: id });
    await eventually(async () => {
      const waiting = "select from pg_locks where not granted and locktype = 'transactionid'";
      return (await desk.sql.query(waiting)).rowCount! > 0;
    });
    await desk.sql.query('commit');
    const { status, body } = await posted;

    expect({ status, error: body.error }).toEqual({ status: 409, error: 'changed_meanwhile' });
    expect((await desk.sql.query('select from stray_files')).rowCount).toBe(0);
  });
});
