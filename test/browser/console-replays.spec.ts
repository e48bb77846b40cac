import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '../support/browser.js';
import { type TestConsole, startConsole } from '../support/console.js';
import { startTicket } from '../support/desk-records.js';
import { eventually } from '../support/eventually.js';
import { insertPastDeliveries } from '../support/past-deliveries.js';

describe('A replay', () => {
  let console: TestConsole;

  beforeAll(async () => {
    console = await startConsole({ settings: { WEBHOOK_RETRY_SCHEDULE: '3600' } });
    await console.desk.worker();
  });
  afterAll(() => console.stop());

  const standing = async (id: string, word: string): Promise<number> =>
    (await console.desk.client().get(`/v1/webhooks/${id}/deliveries?standing=${word}`)).body.deliveries.length;

  for (const javaScriptEnabled of [true, false])
    it(`brings everything that failed in two clicks, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
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
      await page.getByText('The oldest is of').waitFor();
      expect(await standing(first.id, 'retrying')).toBe(3);
      await clicks.on('Replay 5 deliveries');

      expect(clicks.count).toBe(2);
      await eventually(async () => (await standing(first.id, 'delivered')) === 3);
      await eventually(async () => (await standing(second.id, 'delivered')) === 3);
      expect(mended.requests).toHaveLength(6);
      expect(mended.requests.slice(3).map(({ headers }) => headers['webhook-attempt'])).toEqual(['2', '2', '2']);
      expect(other.requests).toHaveLength(2);
      if (!javaScriptEnabled) await page.reload();
      await page.getByRole('progressbar', { name: 'Replay: 3 of 3' }).first().waitFor();
      await desk.client().delete(`/v1/webhooks/${first.id}`);
      await desk.client().delete(`/v1/webhooks/${second.id}`);
    });

  it('takes only what was last answered so, and of the webhook that was chosen', async () => {
    const { desk } = console;
    const receiver = await desk.receiver({ replies: [404, 503] });
    const { id } = await desk.webhook('ticket_started', receiver.url);
    await startTicket(desk);
    await eventually(async () => (await standing(id, 'retrying')) === 1);
    await startTicket(desk);
    await eventually(async () => (await standing(id, 'retrying')) === 2);
    const page = await console.signedIn();

    await page.goto(`/settings/replays?webhook=${id}`);
    await page.getByRole('heading', { name: '2 deliveries to 1 webhook' }).waitFor();
    await page.getByLabel('Last answer').selectOption('4xx');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('heading', { name: '1 delivery to 1 webhook' }).waitFor();
    await page.getByLabel('Which deliveries').selectOption('failed');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('Nothing to replay').waitFor();
    const preview = (query: string) => desk.client().get(`/v1/webhooks/${id}/replay?${query}`);
    expect((await preview('only=undelivered&last_answer=5xx')).body.preview).toMatchObject({
      deliveries: 1,
      capped: false,
    });
    expect((await preview('')).body.preview).toMatchObject({ deliveries: 0, oldest_at: null });
    await desk.client().delete(`/v1/webhooks/${id}`);
  });

  it('comes with turning on a webhook that was disabled', async () => {
    const { desk } = console;
    const receiver = await desk.receiver({ replies: [410, 204] });
    const { id } = await desk.webhook('ticket_started', receiver.url);
    await startTicket(desk);
    await eventually(async () => (await desk.client().get(`/v1/webhooks/${id}`)).body.webhook.state === 'disabled');
    const page = await console.signedIn();

    await page.goto(`/settings/webhooks/${id}`);
    await page.getByText('asked never to be called again').waitFor();
    await page.getByRole('button', { name: 'Enable and replay' }).click();
    await page.getByText('Replay started.').waitFor();
    await receiver.received(2);
    await eventually(async () => (await standing(id, 'delivered')) === 1);
    expect((await desk.client().get(`/v1/webhooks/${id}`)).body.webhook.state).toBe('active');
  });

  it('is chosen on a page in which axe finds nothing', async () => {
    const { id } = await console.desk.webhook('note_added', 'https://receiver.example/');
    await insertPastDeliveries(console.desk, id, ['exhausted']);
    const faults: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await console.signedIn(undefined, { colorScheme, bypassCSP: true });
      await page.goto('/settings/replays');
      faults.push(...(await axeViolations(page)));
    }
    expect(faults).toEqual([]);
    expect(console.browserErrors).toEqual([]);
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
