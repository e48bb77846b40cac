import { FileStore } from '#libs/storage';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Desk, startDesk } from '../support/desk.js';
import { newEmail } from '../support/desk-records.js';
import { mailText, postMail, understood, whatBecameOf } from '../support/mails.js';

let desk: Desk;
beforeAll(async () => {
  desk = await startDesk();
});
afterAll(() => desk.stop());

describe('a mail that was accepted', () => {
  it('is a ticket that says so if its bytes are gone', async () => {
    const { arrival } = (await postMail(desk, mailText())).body;
    await desk.api.get(FileStore, { strict: false }).remove({ accountId: desk.account.id, id: arrival.id });
    await desk.worker();
    const became = await whatBecameOf(desk, arrival);

    expect(became.arrival).toMatchObject({ state: 'unreadable', reason: 'lost' });
    expect(became.message).toMatchObject({ attachments: [] });
    expect(became.message.body).toContain('not in the file store any more');
  });

  it('is a ticket, whatever its sender is called', async () => {
    const from = newEmail();
    const name = `a${'😀'.repeat(150)} b${'😀'.repeat(150)}`;
    const { arrival } = await understood(desk, mailText({ From: `"${name}" <${from}>` }));
    const { customer } = (await desk.client().get(`/v1/customers/${from}`)).body;

    expect(arrival.state).toBe('understood');
    expect(customer).toMatchObject({ first_name: `a${'😀'.repeat(99)}`, last_name: `b${'😀'.repeat(99)}` });
  });
});
