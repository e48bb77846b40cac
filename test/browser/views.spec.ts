// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { startTicket } from '#test/support/desk-records.js';
import { seedAgent } from '#test/support/seed.js';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.stop());

const rail = (page: Page) => page.getByRole('region', { name: 'Views' });

async function keepSearch(page: Page, words: string, name: string, forWhom: string): Promise<void> {
  await page.getByRole('combobox', { name: 'Search tickets' }).fill(words);
  await page.getByRole('combobox', { name: 'Search tickets' }).press('Enter');
  await page.getByText('Save this search').click();
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
