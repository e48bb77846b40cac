import { describe, expect, it } from 'vitest';
import { eventually } from '#test/support/eventually.js';
import { replyFrom, startMailConsole } from './mail-desk.js';

const { oauth, desk, hop, mailbox } = await startMailConsole();

describe('the thread of a ticket', () => {
  it('shows why a reply was not mailed, and sends it again on request', async () => {
    const person = await oauth.person();
    hop.answer({ refuse: '554 5.7.1 <b>No</b>' });
    const { id, to, number } = await replyFrom(desk, mailbox.name);
    const path = `/tickets/${number}`;
    const failed = await eventually(async () => {
      const page = await person.get(path);
      return page.html.includes('>Not sent<') && page;
    });
    const action = `${path}/messages/${id}/send-again`;
    const answer = await person.submit(failed, action, {});
    await hop.mailTo(to);
    const mailed = await eventually(async () => {
      const page = await person.get(path);
      return page.html.includes('>Sent<') && page;
    });
    await person.submit(mailed, action, {});
    const refused = await person.get(path);

    expect(failed.html).toContain('554 5.7.1 &lt;b>No&lt;/b>');
    expect(failed.html).toContain(`action="${action}"`);
    expect(answer.location).toContain(path);
    expect(mailed.html).not.toContain(`action="${action}"`);
    expect(refused.html).toContain('You can resend only an email that failed');
    expect(hop.taken.filter((mail) => mail.to === to)).toHaveLength(1);
  });
});
