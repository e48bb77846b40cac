import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { addMailbox, ticketFromAna } from '#test/support/desk-records.js';
import {
  chooseAfterSending,
  composer,
  messageFromMaya,
  openTicket,
  send,
  sendAnd,
  ticketOf,
} from './support/ticket-page.js';

const console = consoleForTests();
beforeAll(() => addMailbox(console.desk, { name: 'Billing' }));

describe('the ticket page', () => {
  for (const javaScriptEnabled of [true, false])
    it(`replies, adds notes, assigns, tags, moves and closes, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      const number = await start(`Cannot sign in, ${javaScriptEnabled ? 'one' : 'two'}`);
      const page = await console.signedIn(undefined, { javaScriptEnabled });
      await page.getByRole('link', { name: new RegExp(`#${number}\\b`) }).click();

      await composer(page).fill('Try now, please.');
      await send(page);
      await messageFromMaya(page).waitFor();

      await page.getByText('Note', { exact: true }).click();
      await composer(page).fill('It was the cache.');
      await send(page);
      await page.getByRole('article', { name: 'Internal note from Maya Lind' }).waitFor();

      await page.getByRole('button', { name: 'Assign to me' }).click();
      await property(page, /Assignee.*Maya Lind/).waitFor();

      await property(page, 'Priority').click();
      await page.getByRole('button', { name: 'urgent' }).click();
      await page.getByText('set the priority to urgent').waitFor();

      await page.locator('#add-tag').fill('login');
      await page.getByRole('button', { name: 'Add', exact: true }).click();
      await page.getByRole('button', { name: 'Remove tag login' }).waitFor();

      await property(page, 'Mailbox Support').click();
      await page.getByRole('form', { name: 'Move' }).getByLabel('Mailbox').selectOption('Billing');
      await page.getByRole('button', { name: 'Move', exact: true }).last().click();
      await property(page, 'Mailbox Billing').waitFor();

      await page.getByRole('button', { name: 'Close', exact: true }).last().click();
      await page.getByRole('button', { name: 'Reopen' }).waitFor();

      expect(await ticketOf(console.desk, number)).toMatchObject({
        state: 'closed',
        assignee: console.desk.account.owner.email,
        priority: 'urgent',
        tags: ['login'],
        mailbox: 'Billing',
        message_count: 3,
        closed_by: console.desk.account.owner.email,
      });
      expect(console.browserErrors).toEqual([]);
    });

  it('opens the next ticket after sending, if the agent prefers that', async () => {
    const [lower, upper] = [await start('Lower'), await start('Upper')];
    const page = await openTicket(console, upper);
    await chooseAfterSending(page, 'next');
    await page.keyboard.press('Escape');
    await composer(page).fill('Done.');
    await sendAnd(page, 'close');
    await page.waitForURL(`**/tickets/${lower}?**`);
    expect(await page.locator('h1').textContent()).toBe('Lower');
  });

  it('deletes a ticket, lists it in Deleted, and restores it', async () => {
    const number = await start('Gone and back');
    const page = await openTicket(console, number);
    await page.locator('#facts summary[aria-label="More"]').click();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete ticket' }).click();
    await page.getByText(`Ticket #${number} deleted.`).waitFor();
    await page.getByRole('link', { name: /^Deleted/ }).click();
    await page.getByRole('link', { name: new RegExp(`#${number}\\b`) }).click();
    await page.getByRole('article', { name: 'Message from Ana Ruiz' }).getByText('Hello').waitFor();
    expect(await composer(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Restore' }).last().click();
    await page.getByText(`Ticket #${number} restored.`).waitFor();
    expect((await console.desk.client().get(`/v1/tickets/${number}`)).status).toBe(200);
  });

  it('adds new tickets to an open list, with the new count', async () => {
    const page = await console.signedIn();
    await page.goto('/inbox?folder=open');
    const before = Number(await page.locator('[data-folder="open"] .count').textContent());
    await start('Out of the blue');
    await page.getByRole('link', { name: /Out of the blue/ }).waitFor();
    expect(Number(await page.locator('[data-folder="open"] .count').textContent())).toBe(before + 1);
  });

  it('works with the keyboard alone', async () => {
    const number = await start('By keyboard');
    const page = await console.signedIn();
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await page.locator('.menu[open] select[name="assignee"]:focus').waitFor();
    await page.keyboard.press('M');
    await page.keyboard.press('Enter');
    await property(page, /Assignee.*Maya Lind/).waitFor();
    await page.keyboard.press('p');
    await page.keyboard.press('1');
    await page.getByText('set the priority to urgent').waitFor();
    await page.keyboard.press('t');
    await page.keyboard.type('keys');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove tag keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await page.keyboard.type('All done.');
    await page.keyboard.press('Control+Enter');
    await messageFromMaya(page).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('c');
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.waitForURL('**/inbox?folder=mine');
    expect(await ticketOf(console.desk, number)).toMatchObject({ state: 'closed', priority: 'urgent', tags: ['keys'] });
    expect(console.browserErrors).toEqual([]);
  });
});

const start = (subject: string) =>
  ticketFromAna(console.desk, {
    subject,
    from: { email: 'ana@client.example', first_name: 'Ana', last_name: 'Ruiz' },
  });

const property = (page: Page, label: string | RegExp): Locator =>
  page.locator('#properties summary', { hasText: label });
