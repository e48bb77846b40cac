import { afterAll, describe, expect, it } from 'vitest';
import { OAuthDesk } from '../../oauth/support/oauth-desk.js';
import { newEmail, startTicket, twoTickets } from '#test/support/desk-records.js';

const oauth = await OAuthDesk.start();
const owner = await oauth.person();
afterAll(() => oauth.stop());

const { desk } = oauth;

const merge = (numbers: readonly number[], into: number) =>
  owner.act('/tickets/bulk', { do: 'merge', tickets: numbers.join(), into: String(into), back: 'folder=open' });

describe('the page for merging', () => {
  it('proposes the oldest number and says who is kept in copy', async () => {
    const { from, kept, gone } = await twoTickets(desk, { from: 'ben@client.example' });
    const { html } = await owner.get(`/tickets/merge?tickets=${gone},${kept}`);
    const buttons = [...html.matchAll(/name="into" value="(\d+)"[^>]*autofocus/g)].map(([, number]) => Number(number));

    expect(buttons).toEqual([kept]);
    expect(html).toContain('Replies will also go to ben@client.example, the other customer.');
    expect(html).toContain(`Replies will also go to ${from}, the other customer.`);
  });

  it('leads to the messages that are forwarded by the number of the old ticket', async () => {
    const { kept, gone } = await twoTickets(desk);
    await merge([gone], kept);
    const { html, status } = await owner.get(`/tickets/new?forward=${gone}`);

    expect(status).toBe(200);
    expect(html).toContain('First.');
    expect(html).toContain(`name="forwarded" value="${kept}"`);
  });

  it('offers the other tickets of the customer, and a number', async () => {
    const { kept, gone } = await twoTickets(desk);
    const { number } = await startTicket(desk);
    const page = await owner.get(`/tickets/merge?tickets=${gone}`);

    expect(page.html).toMatch(new RegExp(`tickets=${gone}%2C${kept}&[^>]*autofocus`));
    const both = await owner.get(`/tickets/merge?tickets=${gone}&ticket=%23${number}`);
    expect(both.html).toContain(`Merge into #${number}`);
  });

  it('shows the states of the other tickets, and says which number is wrong', async () => {
    const { gone } = await twoTickets(desk);
    const page = await owner.get(`/tickets/merge?tickets=${gone}`);
    const wrong = await owner.get(`/tickets/merge?tickets=${gone}&ticket=2147483647`);
    const same = await owner.get(`/tickets/merge?tickets=${gone}&ticket=${gone}`);

    expect(page.html).toMatch(/class="pill[^>]*>New</);
    expect(page.html).not.toContain('No other ticket');
    expect(wrong.html).toContain('No other ticket has the number “2147483647”.');
    expect(same.html).toContain(`No other ticket has the number “${gone}”.`);
    expect(wrong.html).toMatch(/<input[^>]*value="2147483647"[^>]*autofocus/);
  });

  it('focuses the field for a number if the customer has no other ticket', async () => {
    const { number } = await startTicket(desk, { from: newEmail() });

    const { html } = await owner.get(`/tickets/merge?tickets=${number}`);

    expect(html).toMatch(/<input[^>]*name="ticket"[^>]*autofocus/);
  });

  it('is reached from the selected tickets of a list', async () => {
    const { kept, gone } = await twoTickets(desk);
    const fields = { do: 'merge', tickets: `${gone},${kept}`, back: 'folder=open' };
    const { location } = await owner.act('/tickets/bulk', fields);

    expect((await owner.get(location!)).html).toContain(`Merge into #${kept}`);
  });

  it('shows no ticket that is deleted or unknown, and the other one for a merged one', async () => {
    const { kept, gone } = await twoTickets(desk);
    await merge([gone, kept], kept);
    const { number } = await startTicket(desk);
    await desk.client().delete(`/v1/tickets/${number}`);

    const { html } = await owner.get(`/tickets/merge?tickets=${gone},${number},2147483647,x`);

    expect(html).toContain(`Merge #${kept} with`);
  });

  it('refuses more than ten tickets', async () => {
    const tickets = Array.from({ length: 11 }, (_, place) => place + 1).join();
    const page = await owner.get(`/tickets/merge?tickets=${tickets}`);

    expect(page.status).toBe(422);
    expect(page.html).toContain('Select at most 10 tickets to merge.');
  });
});
