import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { ticketFromAna } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
afterAll(() => oauth.stop());

const steps = (html: string): string[] =>
  [...(/<h2 id="first-run">.*?<\/ul>/s.exec(html)?.[0] ?? '').matchAll(/<li.*?<\/li>/gs)].map(([step]) =>
    step
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );

describe('an inbox without any ticket', () => {
  it('lists the first steps that the role may do, marks those that are done, and ends with the first ticket', async () => {
    const { desk } = oauth;
    const write = `Send yourself an email at ${desk.account.mailbox.email}`;
    const name = 'Enter your name Done';
    const owner = await oauth.person();
    const first = await owner.get('/inbox');
    expect(steps(first.html)).toEqual([name, 'Connect a mailbox', 'Invite colleagues', 'Add a webhook', write]);

    const agent = await oauth.colleague('agent');
    await desk.webhook('ticket_started', 'https://example.com/hook');
    const second = await owner.get('/inbox?folder=closed');
    expect(steps(second.html)).toEqual([
      name,
      'Connect a mailbox',
      'Invite colleagues Done',
      'Add a webhook Done',
      write,
    ]);
    expect(steps((await agent.get('/inbox')).html)).toEqual([name, write]);

    const number = await ticketFromAna(desk);
    await desk.client().delete(`/v1/tickets/${String(number)}`);
    expect(steps((await owner.get('/inbox')).html)).toEqual([]);
  });
});
