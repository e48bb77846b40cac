// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedAgent } from '#test/support/seed.js';

const TICKETS = 10;
const MAX_KEYS = 12;

let console: TestConsole;
let page: Page;
beforeAll(async () => {
  console = await startConsole();
  const { email } = await seedAgent(console.desk.sql, console.desk.account.id, { email: 'noah@acme.test' });
  await console.desk.client().put(`/v1/agents/${email}`, { first_name: 'Noah', last_name: 'Berg' });
  for (let count = 0; count < TICKETS; count++) await ticketFromAna(console.desk);
  page = await console.signedIn();
});
afterAll(() => console.stop());

/** Presses keys and counts them. */
class Keys {
  pressed = 0;

  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      this.pressed += 1;
      await page.keyboard.press(key);
    }
  }
}

const isTriaged = async (done: number): Promise<boolean> => {
  const { rows } = await console.desk.sql.query(
    `select 1 from tickets t join agents a on a.id = t.assignee_id
     where a.email = 'noah@acme.test' and t.priority = 'urgent' and t.tags = '{vip}'`,
  );
  return rows.length === done;
};

/** Assigns the ticket, sets a priority and adds a tag. */
async function triageNext(): Promise<number> {
  const keys = new Keys();
  await keys.press('j', 'a');
  await page.locator('.menu[open] select[name="assignee"]:focus').waitFor();
  await keys.press('N', 'Enter');
  await page.locator('.ticket-tools').getByText('Assigned to Noah Berg').waitFor();
  await keys.press('p');
  await page.locator('.menu[open] button:focus').waitFor();
  await keys.press('Enter');
  await page.locator('.ticket-tools').getByText('urgent', { exact: true }).first().waitFor();
  await keys.press('t');
  await page.locator('#add-tag:focus').waitFor();
  await keys.press('v', 'i', 'p', 'Enter');
  await page.getByRole('button', { name: 'Remove tag vip' }).waitFor();
  await keys.press('Escape');
  return keys.pressed;
}

it(`triages ten tickets without the mouse, in at most ${MAX_KEYS} keys each`, async () => {
  await page.goto('/inbox');
  const keys: number[] = [];
  for (let done = 1; done <= TICKETS; done++) {
    keys.push(await triageNext());
    await eventually(() => isTriaged(done));
  }
  expect(Math.max(...keys)).toBeLessThanOrEqual(MAX_KEYS);
  expect(console.browserErrors).toEqual([]);
});
