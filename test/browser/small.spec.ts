// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedAgent } from '#test/support/seed.js';

const ARABIC = 'مرحبا، لا أستطيع تسجيل الدخول منذ هذا الصباح';

const console = consoleForTests();
let page: Page;
beforeAll(async () => {
  page = await console.signedIn();
});

const newTicket = (body = 'Hello', subject = 'A question'): Promise<number> =>
  ticketFromAna(console.desk, { body, subject });

describe('a page that is missing', () => {
  it('links to the start page', async () => {
    for (const path of ['/nowhere', '/tickets/999999', '/settings/nothing']) {
      await page.goto(path);
      await page.getByRole('link', { name: 'Go to the inbox' }).click();
      await expect.poll(() => new URL(page.url()).pathname).toBe('/inbox');
    }
  });
});

describe('a ticket', () => {
  it('reads from right to left in Arabic: in the list, the title, the thread and the composer', async () => {
    await page.goto(`/tickets/${await newTicket(ARABIC, ARABIC)}?folder=open`);
    await page.getByRole('textbox', { name: 'Message' }).fill(ARABIC);
    const directions =
      await page.evaluate(`['.ticket-row:has([aria-current]) .subject', '#facts h1', '.message .body', '#body']
      .map((selector) => getComputedStyle(document.querySelector(selector)).direction)`);
    expect(directions).toEqual(['rtl', 'rtl', 'rtl', 'rtl']);
  });

  it('clears the tag field for the next tag', async () => {
    await page.goto(`/tickets/${await newTicket()}`);
    const field = page.getByRole('combobox', { name: 'Add a tag' });
    await field.fill('billing');
    await field.press('Enter');
    await page.getByRole('button', { name: 'Remove tag billing' }).waitFor();
    await eventually(async () => (await field.inputValue()) === '');
    expect(await page.getByRole('button', { name: 'Remove tag billing' }).count()).toBe(1);
  });

  it('prints its conversation alone, whole and in dark ink, with the times of its messages', async () => {
    const number = await newTicket(`<pre>${'a long line '.repeat(60)}</pre>`);
    await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'On it.' });
    await page.goto(`/tickets/${number}`);
    const exact = await page.locator('.message time').first().getAttribute('title');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    const parts = ['.rail', '.list', '#composer', '.ticket-tools', '.message', '#facts h1'];
    const shown = await Promise.all(parts.map((part) => page.locator(part).first().isVisible()));
    const [ink, time, cut] = await page.evaluate<[string, string[], number]>(`(() => {
      const time = document.querySelector('.message time');
      const { scrollWidth, clientWidth } = document.querySelector('.message pre');
      const printed = [getComputedStyle(time).fontSize, getComputedStyle(time, '::after').content];
      return [getComputedStyle(document.body).color, printed, scrollWidth - clientWidth];
    })()`);
    await page.emulateMedia({ media: null, colorScheme: null });

    expect(shown).toEqual([false, false, false, false, true, true]);
    expect(exact).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d/);
    expect([ink, time, cut]).toEqual(['rgb(26, 33, 48)', ['0px', `"${exact}"`], 0]);
  });

  it('prints a note that earlier messages are missing', async () => {
    const number = await newTicket();
    for (let count = 0; count < 20; count++)
      await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'On it.', note: true });
    await page.goto(`/tickets/${number}`);
    await page.emulateMedia({ media: 'print' });
    const earlier = page.getByRole('link', { name: 'Earlier messages' });
    const said = await earlier.evaluate((link) => getComputedStyle(link, '::after').content);
    await page.emulateMedia({ media: null });

    expect(said).toBe('" are not printed"');
  });

  it.each([390, 1280])('shows the result of an action above the composer, at %d px', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/tickets/${await newTicket('A long question.\n'.repeat(60))}`);
    await page.getByRole('textbox', { name: 'Message' }).fill('Done.');
    await page.locator('[data-send]').click();
    const toast = (await page.locator('#toasts .notice').boundingBox())!;
    const [composer, thread] = [
      (await page.locator('#composer').boundingBox())!,
      (await page.locator('#ticket').boundingBox())!,
    ];
    await page.setViewportSize({ width: 1280, height: 720 });
    expect(toast.y + toast.height).toBeLessThan(composer.y);
    expect(toast.x + toast.width / 2).toBeCloseTo(thread.x + thread.width / 2, -1);
  });
});

describe('the settings pages', () => {
  it('show a mailbox error in the section of its form, and keep the typed text', async () => {
    await page.goto('/settings/mailboxes');
    await page.getByRole('form', { name: 'Add a mailbox' }).getByLabel('Name').fill('Sales');
    await page
      .getByRole('form', { name: 'Add a mailbox' })
      .getByLabel('Email', { exact: true })
      .fill('sales@acme.test');
    await page.getByRole('button', { name: 'Add mailbox' }).click();
    const sales = page.getByRole('region', { name: 'Name and address' });
    await sales.getByRole('textbox', { name: 'Email' }).fill(console.desk.account.mailbox.email);
    await sales.getByRole('textbox', { name: 'Name' }).fill('Sales EU');
    await sales.getByRole('button', { name: 'Save' }).click();
    await sales.getByRole('alert').waitFor();
    expect(await sales.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('Sales EU');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sales');
  });

  it('state that replies are not mailed without a mail server, whatever the mailbox says', async () => {
    await console.desk.client().post('/v1/mailboxes', { name: 'Post', email: 'post@acme.test' });
    await page.goto('/settings/mailboxes');
    expect(await page.getByRole('row', { name: 'post@acme.test' }).textContent()).toContain('Not sent: no mail server');
  });

  it('keep a gap between the buttons of a group', async () => {
    await console.desk.client().post('/v1/groups', { name: 'Gap' });
    await page.goto('/settings/groups');
    await page.getByText('Gap 0 members').click();
    const group = page.locator('details', { hasText: 'Gap 0 members' });
    const [save, remove] = await Promise.all(
      ['Save', 'Delete…'].map((name) => group.getByRole('button', { name }).boundingBox()),
    );
    expect(remove!.y - save!.y - save!.height).toBeGreaterThanOrEqual(8);
  });

  it('offer no archived agent as a member of a group', async () => {
    const { email } = await seedAgent(console.desk.sql, console.desk.account.id, { email: 'gone@acme.test' });
    await console.desk.client().put(`/v1/agents/${email}`, { first_name: 'Gone', last_name: 'Agent' });
    await console.desk.client().post('/v1/groups', { name: 'Old', members: [email] });
    await console.desk.client().post('/v1/groups', { name: 'New' });
    await console.desk.client().post(`/v1/agents/${email}/archive`, {});
    await page.goto('/settings/groups');
    for (const group of ['Old 1 member', 'New 0 members']) await page.getByText(group).click();
    expect(await page.getByRole('form', { name: 'Old' }).getByLabel('Gone Agent (archived)').count()).toBe(1);
    expect(await page.getByRole('form', { name: 'New' }).getByLabel('Gone Agent').count()).toBe(0);
  });
});

describe('the list of tickets', () => {
  it('shows the last message, its author, and how long the customer has waited', async () => {
    const number = await newTicket('First words.');
    await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'We look into it.' });
    const row = page.locator('.ticket-row', { hasText: `#${number}` });
    await page.goto('/inbox?folder=open');
    await row.getByText('Maya Lind: We look into it.').waitFor();
    expect(await row.getByText('Waiting').count()).toBe(0);

    for (const body of ['And now?', 'Hello?'])
      await console.desk.client().post(`/v1/tickets/${number}/messages`, { body, author: 'ana@client.example' });
    console.desk.clock.advance({ hours: 5 });
    await page.reload();
    await row.getByText('Hello?').waitFor();
    await row.getByText('Waiting 5 h').waitFor();
    await console.desk.client().put(`/v1/tickets/${number}/state`, { state: 'closed' });
    await page.goto('/inbox?folder=closed');
    await row.waitFor();
    expect(await row.getByText('Waiting').count()).toBe(0);
  });

  it('has rows of 56 px, with long names, subjects and many tags', async () => {
    const long = 'unbreakable'.repeat(18);
    const tags = Array.from({ length: 9 }, (_, place) => `tag-${place}-${long.slice(0, 40)}`);
    const from = { email: 'long@client.example', first_name: long };
    const plain = await newTicket();
    const full = await ticketFromAna(console.desk, { from, subject: long, body: long, tags, priority: 'urgent' });
    await page.goto('/inbox?folder=open');
    for (const number of [plain, full]) {
      const row = (await page.locator(`#row-${number}`).boundingBox())!;
      expect(row.height).toBe(56);
    }
    expect(await page.locator(`#row-${full}`).getByText('+8').isVisible()).toBe(true);
  });
});
