import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../oauth/support/oauth-desk.js';
import { addMailbox, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { NextHop } from '#test/support/next-hop.js';

let hop: NextHop;
let oauth: OAuthDesk;
let mailbox: string;
beforeAll(async () => {
  hop = await NextHop.start();
  oauth = await OAuthDesk.start({ SMTP_URL: hop.url });
  mailbox = (await addMailbox(oauth.desk)).name as string;
  await oauth.desk.worker();
});
afterAll(async () => {
  await oauth.stop();
  await hop.stop();
});

describe('the thread of a ticket', () => {
  it('shows why a reply was not mailed, and sends it again on request', async () => {
    const person = await oauth.person();
    const from = newEmail();
    hop.answer({ refuse: '554 5.7.1 <b>No</b>' });
    const { number } = await startTicket(oauth.desk, { from, mailbox });
    const { body } = await oauth.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'It is on its way.' });
    const path = `/tickets/${number}`;
    const failed = await eventually(async () => {
      const page = await person.get(path);
      return page.html.includes('>Not sent<') && page;
    });
    const action = `${path}/messages/${body.message.id}/send-again`;
    const answer = await person.submit(failed, action, {});
    await hop.mailTo(from);
    const mailed = await eventually(async () => {
      const page = await person.get(path);
      return page.html.includes('>Sent<') && page;
    });
    await person.submit(mailed, action, {});
    const refused = await person.get(path);

    expect(failed.html).toContain('554 5.7.1 &lt;b>No&lt;/b>');
    expect(failed.html).toContain('Replies are sent by email.');
    expect(failed.html).toContain(`action="${action}"`);
    expect(answer.location).toContain(path);
    expect(mailed.html).not.toContain(`action="${action}"`);
    expect(refused.html).toContain('You can resend only an email that failed');
    expect(hop.taken.filter(({ to }) => to === from)).toHaveLength(1);
  });
});
