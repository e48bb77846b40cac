// @module-tag long
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.stop());

it('keeps the result of an action when an older refresh arrives', async () => {
  const { number } = await startTicket(console.desk);
  const page = await console.signedIn();
  await page.goto(`/tickets/${number}?folder=open`);
  await page.getByRole('button', { name: 'Close', exact: true }).last().waitFor();

  let refreshes = 0;
  let release: (() => void) | undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(`**/tickets/${number}?folder=open`, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback();
    const response = await route.fetch();
    refreshes += 1;
    await released;
    await route.fulfill({ response });
  });
  await console.desk.client().put(`/v1/tickets/${number}/tags`, ['vip']);
  await eventually(() => refreshes === 1);

  await page.getByRole('button', { name: 'Close', exact: true }).last().click();
  const reopen = page.getByRole('button', { name: 'Reopen' });
  await reopen.waitFor();
  const hidden = page.evaluate(`new Promise((resolve) => {
    const isHidden = () => !document.querySelector('#ticket').textContent.includes('Reopen');
    new MutationObserver(() => isHidden() && resolve(true)).observe(document.body, { subtree: true, childList: true });
    addEventListener('test:over', () => resolve(false));
  })`);
  release!();
  await eventually(() => refreshes >= 2);
  await page.getByRole('button', { name: 'Remove tag vip' }).waitFor();
  await page.evaluate(`dispatchEvent(new Event('test:over'))`);

  expect(await hidden).toBe(false);
  expect(console.browserErrors).toEqual([]);
});
