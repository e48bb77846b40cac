// @module-tag long
import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import {
  BROWSERS,
  FILE,
  chooseAfterSending,
  composer,
  messageFromMaya,
  openTicket,
  send,
  sentTo,
} from './support/ticket-page.js';

const console = consoleForTests();

/** The same person in a second browser. */
async function elsewhere(page: Page, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const { cookies } = await page.context().storageState();
  const other = await console.anonymous({ storageState: { cookies, origins: [] }, ...options });
  await other.goto(page.url());
  return other;
}

const saved = (page: Page) => page.getByText('Your draft is saved.').waitFor();

async function kept(number: number) {
  const statement = `select d.body, d.note, d.after_sending from drafts d join tickets t on t.id = d.ticket_id where t.number = $1`;
  return (await console.desk.sql.query<{ body: string; note: boolean; after_sending: string }>(statement, [number]))
    .rows;
}

/** Laying out a very long text is slow in a browser with hundreds of fonts. */
const LAYOUT_MS = 40_000;

describe('a draft', () => {
  it('saves while the agent types, and opens in another browser with its kind, files and next step', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await page.getByText('Note', { exact: true }).click();
    await chooseAfterSending(page, 'back');
    await page.getByLabel('Attach files').setInputFiles([FILE]);
    await composer(page).fill('They always ask.');
    await saved(page);
    await eventually(async () => (await kept(number))[0]?.body === 'They always ask.');
    expect(await kept(number)).toEqual([{ body: 'They always ask.', note: true, after_sending: 'back' }]);
    await page
      .locator('.ticket-row', { hasText: `#${number}` })
      .getByText('draft', { exact: true })
      .waitFor();

    const other = await elsewhere(page, { javaScriptEnabled: false });
    expect(await composer(other).inputValue()).toBe('They always ask.');
    expect(await other.getByRole('radio', { name: 'Note' }).isChecked()).toBe(true);
    expect(await other.getByLabel('After sending').inputValue()).toBe('back');
    await other.getByRole('list', { name: 'Files of your draft' }).getByText(FILE.name).waitFor();
    await other
      .locator('.ticket-row', { hasText: `#${number}` })
      .getByText('draft', { exact: true })
      .waitFor();

    await send(other);
    await other.getByText(/^Note added to #\d+\.$/).waitFor();
    expect(await sentTo(console.desk, number)).toMatchObject([
      { body: 'They always ask.', note: true, attachments: [{ filename: FILE.name }] },
    ]);
    expect(await kept(number)).toEqual([]);
    await page.reload();
    expect(await composer(page).inputValue()).toBe('');
    expect(console.browserErrors).toEqual([]);
  });

  it('disappears when it is sent, even if Send is pressed during a save', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    const [asked, released] = [new EventEmitter(), new EventEmitter()];
    const isAsked = once(asked, 'yes');
    await page.route(
      '**/draft',
      async (route) => {
        asked.emit('yes');
        await once(released, 'yes');
        await route.continue();
      },
      { times: 1 },
    );
    await composer(page).fill('Once.');
    await isAsked;
    await send(page);
    released.emit('yes');
    await messageFromMaya(page).waitFor();

    expect(await sentTo(console.desk, number)).toHaveLength(1);
    expect(await kept(number)).toEqual([]);
    await page.reload();
    expect(await composer(page).inputValue()).toBe('');
  });

  it('disappears when it is sent, even if a save of the page before a reload arrives late', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    const saves = page.waitForRequest('**/draft');
    await composer(page).fill('Once.');
    const save = await saves;
    await saved(page);
    await page.reload();
    const headers = await save.allHeaders();
    await page.request.post(save.url(), { headers, data: save.postDataBuffer()! });
    await send(page);
    await messageFromMaya(page).waitFor();

    expect(await kept(number)).toEqual([]);
  });

  it('asks the agent to choose when a second window has an older version', async () => {
    const number = await ticketFromAna(console.desk);
    const first = await openTicket(console, number);
    const second = await elsewhere(first);
    await composer(first).fill('From the first.');
    await saved(first);
    await composer(second).fill('From the second.');
    await second.getByRole('alert').getByText('You have two drafts for').waitFor();
    await second.getByRole('alert').getByText('From the first.').waitFor();
    expect(await kept(number)).toMatchObject([{ body: 'From the first.' }]);

    await second.getByRole('button', { name: 'Keep this one' }).click();
    await saved(second);
    expect(await kept(number)).toMatchObject([{ body: 'From the second.' }]);

    await composer(first).fill('From the first, longer.');
    await first.getByRole('button', { name: 'Use the other' }).click();
    await saved(first);
    expect(await composer(first).inputValue()).toBe('From the second.');
    expect(await kept(number)).toMatchObject([{ body: 'From the second.' }]);
  });

  it(
    'keeps all of 240 KB, and text typed while the server was unreachable',
    async () => {
      const number = await ticketFromAna(console.desk);
      const page = await openTicket(console, number);
      const long = 'كيف الحال؟ '.repeat(12_500);
      await composer(page).fill(long, { timeout: LAYOUT_MS });
      await saved(page);
      expect((await kept(number))[0]?.body).toBe(long);

      await page.route('**/draft', (route) => route.abort());
      await composer(page).fill('Typed on the train.');
      await page.getByText('Not saved: the server cannot be reached').waitFor();
      await page.unroute('**/draft');
      await page.reload();
      await saved(page);
      expect(await composer(page).inputValue()).toBe('Typed on the train.');
      await eventually(async () => (await kept(number))[0]?.body === 'Typed on the train.');
    },
    2 * LAYOUT_MS,
  );

  it('disappears when its text is deleted', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await composer(page).fill('Never mind');
    await saved(page);
    await composer(page).fill('');
    await eventually(async () => (await kept(number)).length === 0);
    await page.reload();
    expect(await composer(page).inputValue()).toBe('');
  });
});

describe.each(BROWSERS)('a reply to a ticket deleted in the meantime, %s', (_, options) => {
  it('stays visible, and goes out when the ticket is restored', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number, options);
    await composer(page).fill('Too late?');
    await console.desk.client().delete(`/v1/tickets/${number}`);
    await send(page);
    await page.getByText('Restore the ticket to send it').first().waitFor();
    expect(await kept(number)).toMatchObject([{ body: 'Too late?' }]);

    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText(`Ticket #${number} restored.`).waitFor();
    expect(await composer(page).inputValue()).toBe('Too late?');
    await send(page);
    await page.getByText(/^Reply added to #\d+\.$/).waitFor();
    expect(await sentTo(console.desk, number)).toMatchObject([{ body: 'Too late?' }]);
  });
});

async function onNewTicket(options: { javaScriptEnabled?: boolean } = {}): Promise<{ page: Page; number: number }> {
  const number = await ticketFromAna(console.desk);
  return { number, page: await openTicket(console, number, options) };
}

describe('the composer', () => {
  it.each(BROWSERS)('sends one reply on a double click, %s', async (_, options) => {
    const { page, number } = await onNewTicket(options);
    await composer(page).fill('Once.');
    await page.locator('[data-send]').dblclick();
    await messageFromMaya(page).waitFor();

    expect(await sentTo(console.desk, number)).toHaveLength(1);
  });

  it('sends one reply when the shortcut is pressed twice', async () => {
    const { page, number } = await onNewTicket();
    await composer(page).fill('Once.');
    await Promise.all([page.keyboard.press('Control+Enter'), page.keyboard.press('Control+Enter')]);
    await messageFromMaya(page).waitFor();

    expect(await sentTo(console.desk, number)).toHaveLength(1);
    await composer(page).fill('And again.');
    await send(page);
    await page.getByText('And again.', { exact: true }).waitFor();
  });

  it('sends one reply when it is sent again after a lost response', async () => {
    const { page, number } = await onNewTicket();
    await page.route(
      '**/messages',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await composer(page).fill('Once.');
    await send(page);
    await page.getByText('The server cannot be reached').waitFor();
    await send(page);
    await messageFromMaya(page).waitFor();

    expect(await sentTo(console.desk, number)).toHaveLength(1);
  });

  it('keeps the draft of a note a note, across a reload and another ticket', async () => {
    const { page, number } = await onNewTicket();
    await page.getByText('Note', { exact: true }).click();
    await composer(page).fill('They always ask.');
    await page.reload();

    await page.getByRole('radio', { name: 'Note' }).waitFor();
    expect(await page.getByRole('radio', { name: 'Note' }).isChecked()).toBe(true);
    await page.goto('/inbox');
    await page.goto(`/tickets/${number}`);
    expect(await composer(page).inputValue()).toBe('They always ask.');
    await send(page);
    await page.getByRole('article', { name: 'Internal note from Maya Lind' }).waitFor();
    expect(await sentTo(console.desk, number)).toMatchObject([{ note: true }]);
  });
});
