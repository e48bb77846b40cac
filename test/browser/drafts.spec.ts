// @module-tag long
import { EventEmitter, once } from 'node:events';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

const FILE = { name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('item,count\n') };

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.stop());

async function onTicket(number: number, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const page = await console.signedIn(undefined, options);
  await page.goto(`/tickets/${number}?folder=open`);
  return page;
}

/** The same person in a second browser. */
async function elsewhere(page: Page, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const { cookies } = await page.context().storageState();
  const other = await console.anonymous({ storageState: { cookies, origins: [] }, ...options });
  await other.goto(page.url());
  return other;
}

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();
const saved = (page: Page) => page.getByText('Your draft is saved.').waitFor();

interface Kept {
  readonly body: string;
  readonly note: boolean;
  readonly after_sending: string;
}

async function kept(number: number): Promise<Kept[]> {
  const statement = `select d.body, d.note, d.after_sending from drafts d join tickets t on t.id = d.ticket_id where t.number = $1`;
  return (await console.desk.sql.query<Kept>(statement, [number])).rows;
}

const sentTo = async (number: number): Promise<{ body: string; note: boolean }[]> =>
  (await console.desk.client().get(`/v1/tickets/${number}/messages`)).body.messages.slice(1);

/** Laying out a very long text is slow in a browser with hundreds of fonts. */
const LAYOUT_MS = 40_000;

describe('a draft', () => {
  it('saves while the agent types, and opens in another browser with its kind, files and next step', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await onTicket(number);
    await page.getByText('Note', { exact: true }).click();
    await page.getByLabel('After sending').selectOption('back');
    await page.getByLabel('Attach files').setInputFiles([FILE]);
    await composer(page).fill('They always ask.');
    await saved(page);
    await eventually(async () => (await kept(number))[0]?.body === 'They always ask.');
    expect(await kept(number)).toEqual([{ body: 'They always ask.', note: true, after_sending: 'back' }]);
    await page
      .locator('.ticket-row', { hasText: `#${number}` })
      .getByText('your draft')
      .waitFor();

    const other = await elsewhere(page, { javaScriptEnabled: false });
    expect(await composer(other).inputValue()).toBe('They always ask.');
    expect(await other.getByRole('radio', { name: 'Note' }).isChecked()).toBe(true);
    expect(await other.getByLabel('After sending').inputValue()).toBe('back');
    await other.getByRole('list', { name: 'Files of your draft' }).getByText(FILE.name).waitFor();
    await other
      .locator('.ticket-row', { hasText: `#${number}` })
      .getByText('your draft')
      .waitFor();

    await send(other);
    await other.getByText(/^Note added to #\d+\.$/).waitFor();
    expect(await sentTo(number)).toMatchObject([
      { body: 'They always ask.', note: true, attachments: [{ filename: FILE.name }] },
    ]);
    expect(await kept(number)).toEqual([]);
    await page.reload();
    expect(await composer(page).inputValue()).toBe('');
    expect(console.browserErrors).toEqual([]);
  });

  it('disappears when it is sent, even if Send is pressed during a save', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await onTicket(number);
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
    await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();

    expect(await sentTo(number)).toHaveLength(1);
    expect(await kept(number)).toEqual([]);
    await page.reload();
    expect(await composer(page).inputValue()).toBe('');
  });

  it('disappears when it is sent, even if a save of the page before a reload arrives late', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await onTicket(number);
    const saves = page.waitForRequest('**/draft');
    await composer(page).fill('Once.');
    const save = await saves;
    await saved(page);
    await page.reload();
    const headers = await save.allHeaders();
    await page.request.post(save.url(), { headers, data: save.postDataBuffer()! });
    await send(page);
    await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();

    expect(await kept(number)).toEqual([]);
  });

  it('asks the agent to choose when a second window has an older version', async () => {
    const number = await ticketFromAna(console.desk);
    const first = await onTicket(number);
    const second = await elsewhere(first);
    await composer(first).fill('From the first.');
    await saved(first);
    await composer(second).fill('From the second.');
    await second.getByRole('alert').getByText('From the first.').waitFor();
    expect(await kept(number)).toMatchObject([{ body: 'From the first.' }]);

    await second.getByRole('button', { name: 'Keep this version' }).click();
    await saved(second);
    expect(await kept(number)).toMatchObject([{ body: 'From the second.' }]);

    await composer(first).fill('From the first, longer.');
    await first.getByRole('button', { name: 'Use the other version' }).click();
    await saved(first);
    expect(await composer(first).inputValue()).toBe('From the second.');
    expect(await kept(number)).toMatchObject([{ body: 'From the second.' }]);
  });

  it(
    'keeps all of 240 KB, and text typed while the server was unreachable',
    async () => {
      const number = await ticketFromAna(console.desk);
      const page = await onTicket(number);
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
    const page = await onTicket(number);
    await composer(page).fill('Never mind');
    await saved(page);
    await composer(page).fill('');
    await eventually(async () => (await kept(number)).length === 0);
    await page.reload();
    expect(await composer(page).inputValue()).toBe('');
  });
});

describe.each([
  ['with a script', { javaScriptEnabled: true }],
  ['without a script', { javaScriptEnabled: false }],
])('a reply to a ticket deleted in the meantime, %s', (_, options) => {
  it('stays visible, and goes out when the ticket is restored', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await onTicket(number, options);
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
    expect(await sentTo(number)).toMatchObject([{ body: 'Too late?' }]);
  });
});
