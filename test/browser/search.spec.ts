// @module-tag long
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { startTicket } from '#test/support/desk-records.js';
import { seedAgent } from '#test/support/seed.js';

const console = consoleForTests();

const rows = (page: Page) => page.locator('.ticket-row');
const field = (page: Page) => page.getByRole('combobox', { name: 'Search tickets' });

async function search(page: Page, words: string): Promise<void> {
  await field(page).fill(words);
  await field(page).press('Enter');
  await page.waitForURL((url) => url.searchParams.get('q') === words);
}

/** Creates a ticket that closed long ago, behind newer ones. */
async function startOldTicket(): Promise<number> {
  const from = 'wilhelmina.ashcroft@lantern-works.example';
  const { number } = await startTicket(console.desk, {
    from,
    subject: 'An old story',
    body: 'My zoetrope arrived broken',
  });
  const client = console.desk.client();
  await client.patch(`/v1/customers/${from}`, { first_name: 'Wilhelmina', last_name: 'Ashcroft' });
  await client.post(`/v1/tickets/${number}/messages`, { body: 'Ask the workshop', note: true });
  await client.put(`/v1/tickets/${number}/state`, { state: 'closed' });
  for (let count = 0; count < 3; count++) await startTicket(console.desk);
  return number;
}

for (const javaScriptEnabled of [true, false])
  it(`finds an old ticket by a word, name, email and number from any folder, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
    const number = await startOldTicket();
    const page = await console.signedIn(undefined, { javaScriptEnabled });
    let searches = 0;

    for (const folder of ['unassigned', 'mine', 'open', 'closed', 'spam', 'deleted']) {
      for (const words of ['zoetrope', 'wilhelmina ash', 'ashcroft@lantern-works.example']) {
        await page.goto(`/inbox?folder=${folder}`);
        await search(page, words);
        searches += 1;
        await rows(page)
          .filter({ hasText: `#${number}` })
          .waitFor();
      }
      for (const words of [`#${number}`, `${number}`]) {
        await page.goto(`/inbox?folder=${folder}`);
        await field(page).fill(words);
        await field(page).press('Enter');
        searches += 1;
        await page.waitForURL(`**/tickets/${number}?**`);
      }
    }

    expect(searches).toBe(30);
    expect(console.browserErrors).toEqual([]);
  });

describe('a search', () => {
  it('covers deleted tickets on request, and ends when a folder is opened', async () => {
    const open = await startTicket(console.desk, { body: 'barcarole one' });
    const closed = await startTicket(console.desk, { body: 'barcarole two' });
    const deleted = await startTicket(console.desk, { body: 'barcarole three' });
    await console.desk.client().put(`/v1/tickets/${closed.number}/state`, { state: 'closed' });
    await console.desk.client().delete(`/v1/tickets/${deleted.number}`);
    const page = await console.signedIn();
    await search(page, 'barcarole');
    await page.getByText('2 found').waitFor();
    expect(await rows(page).count()).toBe(2);

    await page.getByRole('navigation', { name: 'Where to search' }).getByRole('link', { name: 'Deleted' }).click();
    await rows(page)
      .filter({ hasText: `#${deleted.number}` })
      .waitFor();
    await page.getByRole('link', { name: 'Everywhere' }).click();
    await page.getByText('2 found').waitFor();
    await page.getByRole('link', { name: 'Clear' }).click();
    await page.waitForURL((url) => !url.searchParams.has('q'));
    await rows(page)
      .filter({ hasText: `#${open.number}` })
      .waitFor();

    await search(page, 'barcarole');
    await page
      .locator('#folders')
      .getByRole('link', { name: /^Closed/ })
      .click();
    await rows(page)
      .filter({ hasText: `#${closed.number}` })
      .waitFor();
    expect(await field(page).inputValue()).toBe('');
  });

  it('highlights the words as they were written, and escapes markup', async () => {
    const { number } = await startTicket(console.desk, {
      subject: 'Mandoline <b>x</b>',
      body: `${'Filler '.repeat(80)}the Mandolíne & <i>broke</i>`,
    });
    await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Nothing new' });
    const page = await console.signedIn();
    await search(page, 'mandoline');
    const row = rows(page).filter({ hasText: `#${number}` });
    await row.waitFor();

    expect(await row.locator('mark').allTextContents()).toEqual(['Mandoline', 'Mandolíne']);
    expect(await row.locator('.excerpt').textContent()).toMatch(/^… .*Mandolíne & broke$/);
    expect(await row.locator('b, i').count()).toBe(0);
  });

  it('explains a syntax error, and keeps its words', async () => {
    const page = await console.signedIn();
    await search(page, 'before:yesterday');

    await page.getByRole('alert').filter({ hasText: 'before: needs a day' }).waitFor();
    expect(await field(page).inputValue()).toBe('before:yesterday');
  });

  it('completes operators, the second like the first', async () => {
    await startTicket(console.desk, { tags: ['red hot'] });
    const page = await console.signedIn();
    const offered = () =>
      page
        .locator('#search-words option')
        .evaluateAll((options) => options.map((option) => (option as unknown as { value: string }).value));

    await field(page).fill('is');
    expect(await offered()).toEqual(expect.arrayContaining(['is:waiting', 'has:attachment', 'tag:"red hot"']));
    await field(page).fill('refund -ta');
    expect(await offered()).toContain('refund -tag:"red hot"');
  });

  it('stays in place when the list refreshes or a ticket is opened from it', async () => {
    const { number } = await startTicket(console.desk, { subject: 'Calliope' });
    const page = await console.signedIn();
    await search(page, 'calliope');
    await rows(page)
      .filter({ hasText: `#${number}` })
      .waitFor();
    const later = await startTicket(console.desk, { subject: 'Calliope again' });
    await rows(page)
      .filter({ hasText: `#${later.number}` })
      .waitFor();
    await rows(page)
      .filter({ hasText: `#${number}` })
      .getByRole('link')
      .click();
    await page.waitForURL(`**/tickets/${number}?**`);

    expect(await field(page).inputValue()).toBe('calliope');
    expect(await rows(page).count()).toBe(2);
  });

  it.each(['light', 'dark'] as const)('passes axe, %s', async (colorScheme) => {
    await startTicket(console.desk, { subject: 'Harmonium', body: 'The harmonium wheezes' });
    const page = await console.signedIn(undefined, { colorScheme });
    for (const words of ['harmonium', 'nowhere-to-be-found', 'state:lost']) {
      await search(page, words);
      expect({ words, found: await axeViolations(page) }).toEqual({ words, found: [] });
    }
  });
});

const rail = (page: Page) => page.getByRole('region', { name: 'Views' });

async function keepSearch(page: Page, words: string, name: string, forWhom: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Search tickets' }).fill(words);
  await page.getByRole('combobox', { name: 'Search tickets' }).press('Enter');
  await page.locator('#save-view summary').click();
  await page.getByLabel('View name').fill(name);
  await page.getByLabel('Visible to').selectOption(forWhom);
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByText(`Saved as “${name}”.`).waitFor();
}

for (const javaScriptEnabled of [true, false])
  it(`saves a search, counts it in the rail, renames, moves and deletes it, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
    const word = javaScriptEnabled ? 'theremin' : 'ondes';
    const [own, shared] = [`検索 ${word}`, `عملاء ${word}`];
    for (let count = 0; count < 2; count++) await startTicket(console.desk, { body: `A ${word}` });
    const page = await console.signedIn(undefined, { javaScriptEnabled });
    await keepSearch(page, word, own, 'Me');
    await keepSearch(page, `${word} -none`, shared, 'Everyone');

    await rail(page).getByRole('link', { name: own }).getByText('2', { exact: true }).waitFor();
    const { email } = await seedAgent(console.desk.sql, console.desk.account.id);
    const other = await console.signedIn(email, { javaScriptEnabled });
    await rail(other).getByRole('link', { name: shared }).click();
    await other.getByRole('heading', { name: shared }).waitFor();
    expect(await other.locator('.ticket-row').count()).toBe(2);
    expect(await rail(other).getByRole('link', { name: own }).count()).toBe(0);

    await rail(page).getByRole('link', { name: /^All/ }).click();
    // Axe needs a script.
    expect(javaScriptEnabled ? await axeViolations(page) : []).toEqual([]);
    await page.getByRole('link', { name: `Change ${own}` }).click();
    await page.getByLabel('Name').fill(`${own} 2`);
    await page.getByRole('button', { name: 'Save' }).click();
    await rail(page)
      .getByRole('link', { name: `${own} 2` })
      .waitFor();
    expect(console.browserErrors).toEqual([]);
  });
