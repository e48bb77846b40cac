// @module-tag long
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { inviteAgent, newEmail, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';

const console = consoleForTests();

const post = (number: number, body: string, author: string) =>
  console.desk.client().post(`/v1/tickets/${number}/messages`, { body, author });

async function startThread(messages: number): Promise<{ number: number; from: string }> {
  const from = newEmail();
  const { number } = await startTicket(console.desk, { body: 'Message 1.', from });
  for (let count = 2; count <= messages; count++) await post(number, `Message ${count}.`, from);
  return { number, from };
}

const shown = async (page: Page): Promise<number[]> =>
  (await page.locator('.conversation li.message .body').allTextContents()).map((text) =>
    Number(/Message (\d+)\./.exec(text)?.[1]),
  );

const said = (page: Page, text: string) => page.locator('.conversation .body').getByText(text, { exact: true });

const upTo = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, place) => from + place);

it('shows the newest 20 messages of a long thread, loads earlier ones in place, and keeps all when a message arrives', async () => {
  const { number, from } = await startThread(50);
  const page = await console.signedIn();
  await page.goto(`/tickets/${number}`);
  expect(await shown(page)).toEqual(upTo(31, 50));

  await page.getByRole('link', { name: 'Earlier messages' }).click();
  await said(page, 'Message 11.').waitFor();
  expect(await shown(page)).toEqual(upTo(11, 50));
  await post(number, 'Message 51.', from);
  await said(page, 'Message 51.').waitFor();
  await eventually(async () => (await shown(page)).length === 41);
  expect(await shown(page)).toEqual(upTo(11, 51));

  await page.getByRole('link', { name: 'Earlier messages' }).click();
  await said(page, 'Message 1.').waitFor();
  expect(await shown(page)).toEqual(upTo(1, 51));
  expect(await page.getByRole('link', { name: 'Earlier messages' }).count()).toBe(0);
  expect(new URL(page.url()).search).toBe('?folder=unassigned');
  expect(await axeViolations(page)).toEqual([]);
  expect(console.browserErrors).toEqual([]);
});

it('links to earlier messages on a separate page without a script', async () => {
  const { number } = await startThread(25);
  const page = await console.signedIn(undefined, { javaScriptEnabled: false });
  await page.goto(`/tickets/${number}`);
  await page.getByRole('link', { name: 'Earlier messages' }).click();

  expect(await shown(page)).toEqual(upTo(1, 5));
});

it('opens a ticket at the first message that this reader has not seen', async () => {
  const { number, from } = await startThread(15);
  const agent = await inviteAgent(console.desk);
  await console.desk.sql.query("update agents set state = 'active' where id = $1", [agent.id]);
  const page = await console.signedIn();
  // Blocks a pending refresh, which would mark more messages as seen.
  await page.route('**/live?*', (route) => route.abort());
  await page.goto(`/tickets/${number}`);
  await page.goto('/inbox');
  await page.unroute('**/live?*');
  for (const count of upTo(16, 24)) await post(number, `Message ${count}. ${'Long text. '.repeat(120)}`, from);
  await page.goto(`/tickets/${number}`);

  const unread = page.locator('.message[data-unread]');
  expect(await unread.locator('.body').textContent()).toMatch(/^Message 16\./);
  const isAtTop = `(() => { const box = document.querySelector('[data-conversation]').getBoundingClientRect();
    const top = document.querySelector('[data-unread]').getBoundingClientRect().top - box.top; return top >= 0 && top < 80; })()`;
  await eventually(async () => (await page.evaluate(isAtTop)) === true);

  await post(number, 'Message 25.', from);
  await said(page, 'Message 25.').waitFor();
  expect(await unread.locator('.body').textContent()).toMatch(/^Message 16\./);
  await page.reload();
  expect(await unread.count()).toBe(0);

  const other = await console.signedIn(agent.email);
  await other.goto(`/tickets/${number}`);
  expect(await other.locator('.message[data-unread]').count()).toBe(1);
});
