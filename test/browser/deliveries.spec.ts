// @module-tag long
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { startDesk } from '#test/support/desk.js';
import { deliveriesStanding, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';

const HOUR_MS = 3_600_000;

describe('the delivery pages', () => {
  const console = consoleForTests(() => startDesk({ settings: { WEBHOOK_RETRY_SCHEDULE: '3600' } }));

  beforeAll(async () => {
    await console.desk.worker();
  });

  const standing = (id: string, word: string): Promise<number> => deliveriesStanding(console.desk, id, word);

  it('use the same states in the list, on the webhook, under System and in the API', async () => {
    const { desk } = console;
    const receiver = await desk.receiver({ replies: [204, 204, 500] });
    const { id } = await desk.webhook('ticket_started', receiver.url);
    for (let n = 0; n < 5; n++) await startTicket(desk);
    await eventually(async () => (await standing(id, 'delivered,retrying')) === 5);
    expect([await standing(id, 'delivered'), await standing(id, 'retrying'), await standing(id, 'given_up')]).toEqual([
      2, 3, 0,
    ]);

    const page = await console.signedIn();
    await page.goto('/settings/webhooks');
    const row = page.getByRole('row').filter({ hasText: receiver.url });
    await row.getByRole('img', { name: 'Last 24 hours: 40% accepted' }).waitFor();
    for (const words of ['2 delivered', '3 retrying']) await row.getByText(words, { exact: true }).waitFor();
    expect(await row.getByText('given up').count()).toBe(0);
    expect(await page.getByText('failed').count()).toBe(0);

    await page.goto(`/settings/webhooks/${id}`);
    await page.getByText('3 retrying now').waitFor();
    expect(await page.getByRole('link', { name: /^Delivery .*, retrying$/ }).count()).toBe(3);
    await page.getByLabel('State').selectOption({ label: 'delivered' });
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/standing=delivered/);
    expect(await page.getByRole('link', { name: /^Delivery .*, delivered$/ }).count()).toBe(2);
    expect(await page.getByRole('link', { name: /^Delivery .*, retrying$/ }).count()).toBe(0);

    await page.goto('/settings/system');
    for (const words of ['2 delivered', '3 retrying', '0 given up'])
      await page.locator('#own-traffic').getByText(words, { exact: true }).waitFor();
  });

  it('search all webhooks without a script', async () => {
    const { desk } = console;
    const { id } = await desk.webhook('customer_added', 'https://gone.example/');
    const [failed] = await insertPastDeliveries(desk, id, ['exhausted', 'delivered']);
    await desk.sql.query('update deliveries set last_status = 404 where id = $1', [failed]);
    const page = await console.signedIn(undefined, { javaScriptEnabled: false });

    await page.goto('/settings/webhooks');
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByLabel('Event').selectOption('customer_added');
    await page.getByLabel('Last status').fill('4xx');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.waitForURL(/last_status=4xx/);

    const rows = page.getByRole('row').filter({ hasText: 'gone.example' });
    expect(await rows.count()).toBe(1);
    await rows.getByRole('link', { name: /^Delivery .*, given up$/ }).click();
    await page.getByRole('button', { name: 'Redeliver' }).waitFor();
  });

  it('offer a table for each chart, without a script too', async () => {
    const { desk } = console;
    const receiver = await desk.receiver({ replies: [204] });
    const { id } = await desk.webhook('ticket_closed', receiver.url);
    await desk.client().post(`/v1/webhooks/${id}/test`);
    await eventually(async () => (await standing(id, 'delivered')) === 1);
    const page = await console.signedIn(undefined, { javaScriptEnabled: false });

    await page.goto(`/settings/webhooks/${id}`);
    for (const title of ['Last 24 hours', 'Last 7 days', 'Response times']) {
      const figure = page.locator('figure').filter({ hasText: title });
      expect(await figure.locator('svg > rect.bar').count()).toBeGreaterThan(0);
      await figure.getByText('As a table').click();
      await figure.getByRole('table').waitFor();
    }
    const day = page.locator('figure').filter({ hasText: 'Last 24 hours' }).getByRole('row');
    expect(await day.count()).toBe(25);
    expect(await day.last().getByRole('cell').allTextContents()).toEqual([expect.any(String), '1', '0', '0']);
  });

  it('link a delivery to its ticket and event, and back', async () => {
    const { desk } = console;
    const receiver = await desk.receiver({ replies: [{ status: 500, body: 'the disk is full' }] });
    const { id } = await desk.webhook('ticket_started', `${receiver.url}links`);
    const { number } = await startTicket(desk);
    await eventually(async () => (await standing(id, 'retrying')) === 1);
    const page = await console.signedIn(undefined, { javaScriptEnabled: false });

    await page.goto(`/settings/webhooks/${id}`);
    await page.getByRole('link', { name: `Ticket #${number}` }).waitFor();
    await page.getByRole('link', { name: /^Delivery/ }).click();
    await page.getByRole('img', { name: 'Time line: 1 attempt, and when the next is due' }).waitFor();
    await page.getByText('Attempt 1').click();
    await page.getByLabel('Response to attempt 1').getByText('the disk is full').waitFor();
    await page.getByText('not kept').waitFor();
    await page
      .getByRole('definition')
      .getByRole('link', { name: /^[\da-f-]{36}$/ })
      .click();
    await page.waitForURL(/settings\/events/);
    await page
      .getByRole('link', { name: /^Delivery .*, retrying$/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: `#${number}` }).click();
    await page.waitForURL(`**/tickets/${number}`);
    expect(await page.title()).toContain(`${number}`);
  });

  it('list a ticket’s events, and the deliveries of each', async () => {
    const { desk } = console;
    const receiver = await desk.receiver({ replies: [204] });
    await desk.webhook('ticket_started', `${receiver.url}from-ticket`);
    const { number } = await startTicket(desk);
    const { number: other } = await startTicket(desk);
    const page = await console.signedIn(undefined, { javaScriptEnabled: false });
    await page.goto(`/tickets/${number}?folder=open`);
    await page.locator('#facts summary[aria-label="More"]').click();
    await page.getByRole('link', { name: 'Events and deliveries' }).click();
    await eventually(async () => {
      await page.reload();
      return (await page.getByRole('link', { name: /^Delivery .*, delivered$/ }).count()) > 0;
    });
    expect(await page.getByRole('cell').getByText(`#${other}`).count()).toBe(0);
    await page
      .getByRole('link', { name: /^Delivery .*, delivered$/ })
      .first()
      .click();
    await page.getByRole('link', { name: `Ticket #${number}` }).waitFor();
  });

  it('show the request and a long response without scrolling after ten attempts, and align the charts', async () => {
    const { desk } = console;
    const { id } = await desk.webhook('customer_added', 'https://receiver.example/ten');
    const [delivery] = await insertPastDeliveries(desk, id, ['exhausted']);
    await desk.sql.query(
      `insert into attempts (id, account_id, webhook_id, delivery_id, number, started_at, duration_ms, status,
         response_body, request_headers, next_reason)
       select gen_random_uuid(), $1, $2, $3, n, now() + n * interval '1 minute', 5, 500,
         repeat('one long line ', 60), '{}', 'retry' from generate_series(1, 10) n`,
      [desk.account.id, id, delivery],
    );
    const page = await console.signedIn(undefined, { viewport: { width: 1280, height: 800 } });
    await page.goto(`/settings/deliveries/${delivery}`);
    const answer = page.getByLabel('Body of the response');
    expect(await answer.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    for (const title of ['Request', 'Last response'])
      expect((await page.getByRole('heading', { name: title }).boundingBox())!.y).toBeLessThan(760);
    expect(await page.getByText('Attempt 10').isVisible()).toBe(true);
    await page.getByText('First 7 attempts').click();
    expect(await page.getByText('Attempt 1', { exact: true }).isVisible()).toBe(true);

    await page.goto(`/settings/webhooks/${id}`);
    const pictures = await page.locator('.chart > svg').all();
    const tops = await Promise.all(pictures.map(async (picture) => (await picture.boundingBox())!.y));
    expect(new Set(tops).size).toBe(1);
  });

  it('show the actual time of the next attempt, and mark deleted data as no longer kept', async () => {
    const { desk } = console;
    const receiver = await desk.receiver({ replies: [500] });
    const { id } = await desk.webhook('ticket_tagged', `${receiver.url}held`);
    const { delivery } = (await desk.client().post(`/v1/webhooks/${id}/test`)).body;
    const { number } = await startTicket(desk);
    await desk.client().put(`/v1/tickets/${number}/tags`, ['vip']);
    await eventually(async () => (await standing(id, 'retrying')) === 2);
    await desk.sql.query('delete from activities where id in (select event_id from deliveries where webhook_id = $1)', [
      id,
    ]);
    const page = await console.signedIn(undefined, { javaScriptEnabled: false });

    await desk.sql.query(`update webhooks set retry_after_until = '2099-12-31T10:00:00Z' where id = $1`, [id]);
    await page.goto(`/settings/webhooks/${id}`);
    await page.getByRole('cell', { name: 'Test event' }).waitFor();
    await page.getByRole('cell', { name: 'Deleted' }).waitFor();
    expect(await page.locator('#deliveries time[datetime^="2099-12-31"]').count()).toBe(2);
    expect(await page.locator('#traffic time[datetime^="2099-12-31"]').count()).toBe(1);

    await desk.client().patch(`/v1/webhooks/${id}`, { state: 'paused' });
    await page.goto(`/settings/deliveries/${delivery.id}`);
    await page.getByText('Next try when the webhook is resumed.').waitFor();
    await page.getByText('The next attempt is due when the webhook is resumed.').waitFor();
  });

  it('show the backlog in each hour of a day, and the age of the oldest delivery', async () => {
    const { desk } = console;
    const now = desk.clock.now().getTime();
    await desk.sql.query(
      `insert into backlog_hours (account_id, hour, owed, oldest_seconds)
       select $1, date_trunc('hour', at, 'UTC'), 12, 90 from unnest($2::timestamptz[]) at
       on conflict (account_id, hour) do update set owed = 12, oldest_seconds = 90`,
      [desk.account.id, [2, 5].map((hours) => new Date(now - hours * HOUR_MS))],
    );
    const page = await console.signedIn(undefined, { javaScriptEnabled: false });

    await page.goto('/settings/system');
    for (const [title, value] of [
      ['Backlog in 24 hours', '12'],
      ['Oldest pending delivery in 24 hours', '1 min'],
    ] as const) {
      const figure = page.locator('figure').filter({ hasText: title });
      await figure.getByText('As a table').click();
      const rows = figure.getByRole('row');
      const ofHours = rows.filter({ has: page.getByRole('cell', { name: value, exact: true }) });
      expect([await rows.count(), await ofHours.count()]).toEqual([25, 2]);
    }
  });
});
