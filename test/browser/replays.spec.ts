// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { startDesk } from '#test/support/desk.js';
import { deliveriesStanding, startTicket } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';

describe('a replay', () => {
  const console = consoleForTests(() => startDesk({ settings: { WEBHOOK_RETRY_SCHEDULE: '3600' } }));

  beforeAll(async () => {
    await console.desk.worker();
  });

  const standing = (id: string, word: string): Promise<number> => deliveriesStanding(console.desk, id, word);

  const manyWebhooks = async (count: number): Promise<string[]> => {
    const { id } = await console.desk.webhook('note_added', 'https://receiver.example/first');
    const { rows } = await console.desk.sql.query<{ id: string }>(
      `insert into webhooks (id, account_id, agent_id, event, url, state, created_at, updated_at)
       select gen_random_uuid(), account_id, agent_id, event, url || n, state, created_at, updated_at
       from webhooks, generate_series(2, $2::int) n where id = $1 returning id`,
      [id, count],
    );
    return [id, ...rows.map((row) => row.id)];
  };

  for (const javaScriptEnabled of [true, false])
    it(`sends everything that failed in two clicks, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      const { desk } = console;
      const mended = await desk.receiver({ replies: [500] });
      const other = await desk.receiver();
      const first = await desk.webhook('ticket_started', mended.url);
      const second = await desk.webhook('ticket_closed', other.url);
      for (let n = 0; n < 3; n++) await startTicket(desk);
      await eventually(async () => (await standing(first.id, 'retrying')) === 3);
      await insertPastDeliveries(desk, second.id, ['exhausted', 'delivered', 'exhausted']);
      mended.reply(204);
      const page = await console.signedIn(undefined, { javaScriptEnabled });
      await page.goto('/settings/webhooks');
      const clicks = countedClicks(page);

      await clicks.on('Replay…');
      await page.getByRole('heading', { name: '5 deliveries to 2 webhooks' }).waitFor();
      await page.getByText('The oldest is from').waitFor();
      expect(await standing(first.id, 'retrying')).toBe(3);
      await clicks.on('Replay 5 deliveries');

      expect(clicks.count).toBe(2);
      await eventually(async () => (await standing(first.id, 'delivered')) === 3);
      await eventually(async () => (await standing(second.id, 'delivered')) === 3);
      expect(mended.requests).toHaveLength(6);
      expect(mended.requests.slice(3).map(({ headers }) => headers['webhook-attempt'])).toEqual(['2', '2', '2']);
      expect(other.requests).toHaveLength(2);
      await expect
        .poll(async () => {
          if (!javaScriptEnabled) await page.reload();
          return page.getByRole('progressbar', { name: 'Replay: 3 of 3' }).count();
        })
        .toBeGreaterThan(0);
      await desk.client().delete(`/v1/webhooks/${first.id}`);
      await desk.client().delete(`/v1/webhooks/${second.id}`);
    });

  it('starts when the failures are older than the deliveries in the preview', async () => {
    const { desk } = console;
    const receiver = await desk.receiver();
    const { id } = await desk.webhook('ticket_started', receiver.url);
    await insertPastDeliveries(desk, id, ['exhausted', ...Array.from({ length: 5_000 }, () => 'delivered' as const)]);
    expect((await desk.client().get(`/v1/webhooks/${id}/replay`)).body.preview).toEqual({
      deliveries: 0,
      capped: true,
      oldest_at: null,
      webhooks: 1,
      running: 0,
    });
    const page = await console.signedIn();

    await page.goto('/settings/replays');
    await page.getByText('None found among the newest deliveries to 1 webhook').waitFor();
    await page.getByRole('button', { name: 'Replay older deliveries' }).click();
    await page.getByText('Replay started.').waitFor();

    await receiver.received(1);
    await desk.client().delete(`/v1/webhooks/${id}`);
  });

  it('covers each of all webhooks', async () => {
    const { desk } = console;
    const ids = await manyWebhooks(120);
    for (const id of ids) await insertPastDeliveries(desk, id, ['exhausted'], { eventKept: false });
    await desk.client().patch(`/v1/webhooks/${ids[0]}`, { state: 'paused' });
    const page = await console.signedIn();
    await page.goto('/settings/replays?event=note_added');
    await page.getByRole('heading', { name: '120 deliveries to 120 webhooks' }).waitFor();

    await page.getByRole('button', { name: 'Replay 120 deliveries' }).click();
    await page.getByText('Replay started.').waitFor();
    const { rows } = await desk.sql.query('select distinct webhook_id from replays where webhook_id = any($1)', [ids]);
    expect(rows).toHaveLength(120);
    await desk.sql.query("delete from webhooks where event = 'note_added'");
  });

  it('reports nothing to replay instead of a start', async () => {
    const { desk } = console;
    const { id } = await desk.webhook('note_added', 'https://receiver.example/nothing');
    await insertPastDeliveries(desk, id, ['exhausted']);
    const page = await console.signedIn();
    await page.goto('/settings/replays?event=note_added');
    await page.getByRole('button', { name: 'Replay 1 delivery' }).waitFor();
    await desk.client().delete(`/v1/webhooks/${id}`);

    await page.getByRole('button', { name: 'Replay 1 delivery' }).click();
    await page.locator('#toasts').getByText('Nothing to replay.').waitFor();
    expect((await desk.sql.query('select from replays where webhook_id = $1', [id])).rows).toEqual([]);
  });

  it('shows its progress without reloading the preview', async () => {
    const { desk } = console;
    const receiver = await desk.receiver();
    const { id } = await desk.webhook('ticket_started', receiver.url);
    await insertPastDeliveries(desk, id, ['exhausted']);
    const page = await console.signedIn();
    await page.goto('/settings/replays');
    await page.getByRole('button', { name: 'Replay 1 delivery' }).click();
    await page.getByRole('progressbar', { name: 'Replay: 1 of 1' }).first().waitFor();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));

    await insertPastDeliveries(desk, id, ['exhausted']);
    await desk.client().post(`/v1/webhooks/${id}/replay`);
    await page.getByRole('progressbar', { name: 'Replay: 1 of 1' }).nth(1).waitFor();

    expect(asked).toContain('/settings/replays/progress');
    expect(asked).not.toContain('/settings/replays');
    await desk.client().delete(`/v1/webhooks/${id}`);
  });

  it('starts together with enabling a disabled webhook', async () => {
    const { desk } = console;
    const receiver = await desk.receiver({ replies: [410, 204] });
    const { id } = await desk.webhook('ticket_started', receiver.url);
    await startTicket(desk);
    await eventually(async () => (await desk.client().get(`/v1/webhooks/${id}`)).body.webhook.state === 'disabled');
    const page = await console.signedIn();

    await page.goto(`/settings/webhooks/${id}`);
    await page.getByText('responded with 410 Gone').waitFor();
    await page.getByRole('button', { name: 'Enable and replay' }).click();
    await page.getByText('Replay started.').waitFor();
    await receiver.received(2);
    await eventually(async () => (await standing(id, 'delivered')) === 1);
    expect((await desk.client().get(`/v1/webhooks/${id}`)).body.webhook.state).toBe('active');
  });
});

function countedClicks(page: Page) {
  const clicks = {
    count: 0,
    async on(name: string): Promise<void> {
      clicks.count += 1;
      await page
        .getByRole('link', { name, exact: true })
        .or(page.getByRole('button', { name, exact: true }))
        .click();
    },
  };
  return clicks;
}
