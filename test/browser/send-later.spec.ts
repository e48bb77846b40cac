// @module-tag long
import { beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import {
  BROWSERS,
  composer,
  openSendMenu,
  openTicket,
  scheduledReplies,
  sentTo,
  ticketOf,
} from './support/ticket-page.js';

const console = consoleForTests();
beforeEach(async () => {
  await console.desk.sql.query(
    'delete from held_replies; delete from drafts; update accounts set undo_send_seconds = 0',
  );
});

describe.each(BROWSERS)('a reply for later, %s', (_, options) => {
  it('appears under Scheduled and comes back into the composer by Edit', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number, options);
    await composer(page).fill('Good morning.');
    await openSendMenu(page);
    await page.getByRole('button', { name: /^Send tomorrow, .+, 09:00$/ }).click();
    await page.getByText(/^Reply to #\d+ will be sent at 09:00 on/).waitFor();
    await scheduledReplies(page)
      .getByText(/^Sends at 09:00 on/)
      .waitFor();
    expect(await sentTo(console.desk, number)).toEqual([]);

    await page.getByRole('link', { name: 'Scheduled 1' }).click();
    await page.getByRole('heading', { name: 'Scheduled', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.waitForURL(`**/tickets/${number}*`);
    await page.getByText('Your draft is back.').waitFor();
    expect(await composer(page).inputValue()).toBe('Good morning.');
    expect(await page.getByRole('link', { name: 'Scheduled' }).count()).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });
});

describe('an open page of a ticket', () => {
  it('says at once that the customer was faster, and at its time that the reply is a draft again', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await composer(page).fill('Good morning.');
    await openSendMenu(page);
    const inAnHour = new Date(console.desk.clock.now().getTime() + 3_600_000).toISOString();
    await page.getByLabel('Send at').fill(inAnHour.slice(0, 'yyyy-mm-ddThh:mm'.length));
    await page.keyboard.press('Enter');
    await scheduledReplies(page)
      .getByText(/^Sends at/)
      .waitFor();
    const fromAna = { body: 'Wait!', author: 'ana@client.example' };
    await console.desk.client().post(`/v1/tickets/${number}/messages`, fromAna);
    await scheduledReplies(page)
      .getByText(/^Not sent at .*: the customer has written since$/)
      .waitFor();

    console.desk.clock.advance({ hours: 1, minutes: 1 });
    await page.getByText(/^Maya Lind has a draft again\. The reply scheduled for .* was not sent/).waitFor();
    expect(await scheduledReplies(page).count()).toBe(0);
  });
});

describe('the time to send a reply', () => {
  it('counts when Enter is pressed in its field', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await composer(page).fill('In spring.');
    await openSendMenu(page);
    const year = console.desk.clock.now().getUTCFullYear();
    await page.getByLabel('Send at').fill(`${year + 1}-01-04T10:00`);
    await page.keyboard.press('Enter');
    await page.getByText(/^Reply to #\d+ will be sent at 10:00 on 4 Jan/).waitFor();
    expect(await sentTo(console.desk, number)).toEqual([]);
  });

  it.each(BROWSERS)('is required by Schedule, which keeps the text, %s', async (_, options) => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number, options);
    await composer(page).fill('Later.');
    await openSendMenu(page);
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    await page.getByText('Choose a time.').waitFor();
    expect(await composer(page).inputValue()).toBe('Later.');

    await openSendMenu(page);
    await page.getByLabel('Send at').pressSequentially('12');
    await page.getByRole('button', { name: 'Schedule', exact: true }).click();
    expect(await page.evaluate('document.activeElement.matches(":focus:invalid")')).toBe(true);
    expect(await sentTo(console.desk, number)).toEqual([]);
    expect(await scheduledReplies(page).count()).toBe(0);
  });

  it('disappears half typed when its menu closes', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await composer(page).fill('At once.');
    await openSendMenu(page);
    await page.getByLabel('Send at').pressSequentially('12');
    await page.keyboard.press('Escape');
    await composer(page).press('Control+Enter');
    await page.getByText(/^Reply added to/).waitFor();
    expect(await sentTo(console.desk, number)).toMatchObject([{ body: 'At once.' }]);
  });
});

describe('an open ticket', () => {
  it('forwards its whole conversation by f, to an address that can be typed at once', async () => {
    const number = await ticketFromAna(console.desk, { body: 'It is broken.' });
    const page = await openTicket(console, number);
    await page.keyboard.press('f');
    await page.waitForURL(`**/tickets/new?forward=${number}&*`);
    await page.keyboard.type('gina@client.example');
    expect(await page.getByLabel('To', { exact: true }).inputValue()).toBe('gina@client.example');
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toContain('It is broken.');
  });

  it('leads to the next one when it is closed, if the agent prefers that, and z undoes it', async () => {
    const next = await ticketFromAna(console.desk);
    const number = await ticketFromAna(console.desk);
    const page = await console.signedIn();
    await page.goto('/profile');
    await page.getByLabel('Open the next ticket after closing').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.').waitFor();
    await page.goto(`/tickets/${number}?folder=open`);
    await page.keyboard.press('c');
    await page.waitForURL(`**/tickets/${next}?folder=open`);
    expect(await ticketOf(console.desk, number)).toMatchObject({ state: 'closed' });

    await page.getByText(`#${number} closed.`).waitFor();
    await page.keyboard.press('z');
    await page.getByText(`Change to #${number} undone.`).waitFor();
    expect(await ticketOf(console.desk, number)).toMatchObject({ state: 'unread' });
    expect(await ticketOf(console.desk, next)).toMatchObject({ state: 'unread' });
  });
});
