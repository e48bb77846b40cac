// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { composer, messageFromMaya, openTicket, scheduledReplies, seedNoah, send } from './support/ticket-page.js';

const console = consoleForTests();
let noahsEmail: string;
beforeAll(async () => {
  noahsEmail = (await seedNoah(console.desk)).email;
  await console.desk.sql.query('update accounts set undo_send_seconds = 30');
});
beforeEach(() => console.desk.sql.query('delete from held_replies; delete from drafts'));

const alert = (page: Page) => page.locator('#composer').getByRole('alert');

const answers = async (number: number): Promise<string[]> => {
  const { rows } = await console.desk.sql.query<{ body: string }>(
    `select s.body from messages s join tickets t on t.id = s.ticket_id
     where t.number = $1 and s.author_agent_id is not null order by s.id`,
    [number],
  );
  return rows.map(({ body }) => body);
};
const held = async (): Promise<string[]> =>
  (await console.desk.sql.query<{ body: string }>('select body from held_replies')).rows.map(({ body }) => body);

/** Returns a ticket with a thread longer than the pane, so that new replies arrive out of view. */
async function longThread(): Promise<number> {
  const number = await ticketFromAna(console.desk, { body: 'Hello.\n'.repeat(60) });
  const more = { body: 'Anybody there?\n'.repeat(40), author: 'ana@client.example' };
  await console.desk.client().post(`/v1/tickets/${number}/messages`, more);
  return number;
}

async function writing(number: number, text: string, visit: object): Promise<Page> {
  const page = await openTicket(console, number, visit);
  await composer(page).fill(text);
  return page;
}

/** Maya’s reply is scheduled, and Noah has pressed Send once. */
async function bothWrote(number: number, options = {}): Promise<{ maya: Page; noah: Page }> {
  const noah = await writing(number, 'From Noah.', { email: noahsEmail, ...options });
  const maya = await writing(number, 'From Maya.', options);
  await send(maya);
  await scheduledReplies(maya).waitFor();
  await send(noah);
  await alert(noah).getByText('Maya Lind is sending a reply.').waitFor();
  return { maya, noah };
}

async function sendDue(number: number): Promise<void> {
  console.desk.clock.advance({ seconds: 31 });
  await eventually(async () => (await answers(number)).length === 1);
}

/** Whether the top of Maya’s message is visible in the conversation pane. */
const isInSight = (page: Page): Promise<boolean> =>
  page.evaluate(`(() => {
    const pane = document.querySelector('[data-conversation]').getBoundingClientRect();
    const { top } = document.querySelector('[aria-label="Message from Maya Lind"]').getBoundingClientRect();
    return top >= Math.max(pane.top, 0) && top < Math.min(pane.bottom, innerHeight) - 20;
  })()`);

describe('a reply while a colleague’s is scheduled', () => {
  it.each([
    ['wide', { viewport: { width: 1280, height: 800 } }],
    ['narrow', { viewport: { width: 390, height: 844 } }],
  ])(
    'shows the colleague’s reply in the alert and in view on a %s screen, and needs one more press',
    async (_, options) => {
      const number = await longThread();
      const { noah } = await bothWrote(number, options);
      await noah.evaluate('document.querySelector("[data-conversation]").scrollTop = 0');
      await sendDue(number);

      await alert(noah)
        .getByText(/^Maya Lind replied at \d\d:\d\d\. Your reply was not sent\./)
        .waitFor();
      expect(await alert(noah).getByText('is sending').count()).toBe(0);
      expect(await isInSight(noah)).toBe(true);
      await noah.evaluate('document.querySelector("#composer").setAttribute("data-old", "yes")');
      await send(noah);
      await noah.locator('#composer:not([data-old])').waitFor();
      await alert(noah)
        .getByText(/^Maya Lind replied at/)
        .waitFor();
      expect(await composer(noah).inputValue()).toBe('From Noah.');
      expect(await isInSight(noah)).toBe(true);
      expect([await answers(number), await held()]).toEqual([['From Maya.'], []]);

      await send(noah);
      await scheduledReplies(noah).getByText('From Noah.').waitFor();
      expect(await held()).toEqual(['From Noah.']);
      expect(console.browserErrors).toEqual([]);
    },
  );

  it('needs one more press after the colleague’s reply was sent, without a script', async () => {
    const number = await longThread();
    const { noah } = await bothWrote(number, { javaScriptEnabled: false });
    await sendDue(number);

    await send(noah);
    await alert(noah)
      .getByText(/^Maya Lind replied at/)
      .waitFor();
    await messageFromMaya(noah).waitFor();
    expect([await answers(number), await held()]).toEqual([['From Maya.'], []]);
    await send(noah);
    await scheduledReplies(noah).getByText('From Noah.').waitFor();
  });

  it('goes out after the colleague undoes their reply', async () => {
    const number = await longThread();
    const { maya, noah } = await bothWrote(number);
    await scheduledReplies(maya).getByRole('button', { name: 'Undo' }).click();
    await alert(noah).getByText('The other reply was not sent. Press Send to send yours.').waitFor();

    await send(noah);
    await scheduledReplies(noah).getByText('From Noah.').waitFor();
    expect(await held()).toEqual(['From Noah.']);
  });

  it('stays blocked after a page reload, and needs one more press', async () => {
    const number = await longThread();
    const { noah } = await bothWrote(number);
    await noah.reload();
    expect(await composer(noah).inputValue()).toBe('From Noah.');
    await send(noah);
    await alert(noah).getByText('Maya Lind is sending a reply.').waitFor();
    expect(await held()).toEqual(['From Maya.']);
    await send(noah);
    await scheduledReplies(noah).getByText('From Noah.').waitFor();
  });
});

describe('a reply from a second window of its author', () => {
  it('stays blocked while the first is scheduled, and the alert names the other window', async () => {
    const number = await ticketFromAna(console.desk);
    const first = await writing(number, 'First.', { email: noahsEmail, javaScriptEnabled: false });
    const second = await first.context().newPage();
    await second.goto(`/tickets/${number}?folder=open`);
    await send(first);
    await scheduledReplies(first).waitFor();
    await composer(second).fill('Second.');
    await send(second);
    await alert(second).getByText('You are sending a reply from another window.').waitFor();
    expect(await held()).toEqual(['First.']);
  });
});
