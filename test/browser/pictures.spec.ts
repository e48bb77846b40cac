// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.stop());

const HOUR_MS = 3_600_000;

/** The server renders the charts, so they need no script. */
describe.each([true, false])('charts, with a script: %s', (javaScriptEnabled) => {
  it('show a day of each webhook in the list, with the share accepted', async () => {
    const { id } = await console.desk.webhook('ticket_started', `https://receiver.example/${javaScriptEnabled}`);
    await insertPastDeliveries(console.desk, id, ['delivered', 'exhausted', 'delivered', 'delivered']);
    const page = await console.signedIn(undefined, { javaScriptEnabled });

    await page.goto('/settings/webhooks');
    const row = page.getByRole('row').filter({ hasText: `receiver.example/${javaScriptEnabled}` });
    const picture = row.getByRole('img', { name: 'Last 24 hours: 75% accepted' });

    expect(await picture.locator('rect').count()).toBeGreaterThanOrEqual(2);
    await row.getByText('75% accepted', { exact: true }).waitFor();
    await row.getByText('3 delivered', { exact: true }).waitFor();
    await row.getByText('1 given up', { exact: true }).waitFor();
  });

  it('show the backlog in each hour of a day, and the age of the oldest delivery', async () => {
    const now = console.desk.clock.now().getTime();
    await console.desk.sql.query(
      `insert into backlog_hours (account_id, hour, owed, oldest_seconds)
       select $1, date_trunc('hour', at, 'UTC'), 12, 90 from unnest($2::timestamptz[]) at on conflict do nothing`,
      [console.desk.account.id, [2, 5].map((hours) => new Date(now - hours * HOUR_MS))],
    );
    const page = await console.signedIn(undefined, { javaScriptEnabled });

    await page.goto('/settings/system');
    for (const [title, value] of [
      ['Backlog in 24 hours', '12'],
      ['Oldest pending delivery in 24 hours', '1 min'],
    ] as const) {
      const figure = page.locator('figure').filter({ hasText: title });
      await figure.getByText('As a table').click();
      const rows = figure.getByRole('row');
      expect(await figure.locator('svg:not(.swatch) > rect.bar').count()).toBe(2);
      expect([
        await rows.count(),
        await rows.filter({ has: page.getByRole('cell', { name: value, exact: true }) }).count(),
      ]).toEqual([25, 2]);
    }
  });
});
