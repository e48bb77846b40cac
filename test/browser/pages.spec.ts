// @module-tag long
import { ApplicationsService } from '#libs/access';
import { Database } from '#libs/database';
import type { Locator, Page, Response } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { type TestConsole, consoleForTests } from '#test/support/console.js';
import { consolePages } from '#test/support/console-routes.js';
import type { Desk } from '#test/support/desk.js';
import { insertPastDeliveries } from '#test/support/past-deliveries.js';
import { seedAgent, seedApplication, seedToken } from '#test/support/seed.js';
import { formOf, postFiles } from '#test/support/upload.js';

/** Paths of the pages that need a record, and more paths to check. The records are created before the tests. */
const ADDRESSES: Record<string, string[]> = {
  '/inbox': ['/inbox?folder=open', '/inbox?folder=closed'],
  '/tickets/:number': ['/tickets/1?folder=open'],
  '/tickets/:number/saved-replies': ['/tickets/1/saved-replies'],
  '/tickets/merge': ['/tickets/merge?tickets=1,2'],
  '/customers/:email': ['/customers/ana@client.example'],
  '/settings/events': ['/settings/events', '/settings/events?kind=group_deleted'],
};

/** Axe needs a second per page when other tests run at the same time. */
const ALL_PAGES_MS = 120_000;

/** Pixels of a phone. */
const WIDTH = 390;

const addresses = (): string[] => consolePages().flatMap((page) => ADDRESSES[page] ?? [page]);

describe('every page of the console', () => {
  const console = consoleForTests();

  beforeAll(async () => {
    await fill(console);
  });

  for (const colorScheme of ['light', 'dark'] as const)
    it(`passes axe, in ${colorScheme}`, { timeout: ALL_PAGES_MS }, async () => {
      const page = await console.signedIn(undefined, { colorScheme, bypassCSP: true });
      const faults: string[] = [];
      for (const path of addresses()) {
        await visit(page, path);
        for (const summary of await page.getByText('As a table').all()) await summary.click();
        faults.push(...(await axeViolations(page)).map((fault) => `${path} ${fault}`));
      }
      expect(faults).toEqual([]);
    });

  it('has one h1, a skip link and a unique title', async () => {
    const page = await console.signedIn();
    const outlines: object[] = [];
    const titles = new Set<string>();
    for (const path of addresses()) {
      await visit(page, path);
      const [headings, skips] = [page.locator('h1'), page.locator('a.skip[href="#main"]')];
      outlines.push({ path, headings: await headings.count(), skips: await skips.count() });
      titles.add(await page.title());
    }
    expect(outlines).toEqual(addresses().map((path) => ({ path, headings: 1, skips: 1 })));
    // Two of the paths show the list of events.
    expect(titles.size).toBe(addresses().length - 1);
    expect(console.browserErrors).toEqual([]);
  });

  it('fits the width of a phone', async () => {
    const page = await console.signedIn(undefined, { viewport: { width: WIDTH, height: 780 } });
    const tooWide: string[] = [];
    for (const path of addresses()) {
      await visit(page, path);
      const excess = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
      if (excess > 0) tooWide.push(`${path} by ${excess}`);
    }
    expect(tooWide).toEqual([]);
  });

  it('weighs at most 60 KB compressed, and allows nothing inline', async () => {
    const page = await console.signedIn();
    for (const path of addresses()) {
      const answer = await visit(page, path);
      const { responseBodySize } = await answer.request().sizes();
      const headers = answer.headers();
      expect({ path, size: responseBodySize < 60 * 1024, coding: headers['content-encoding'] }).toEqual({
        path,
        size: true,
        coding: 'gzip',
      });
      expect(headers['content-security-policy']).toContain("script-src 'self'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
    }
  });
});

const right = async (part: Locator): Promise<number> => {
  const box = (await part.boundingBox())!;
  return box.x + box.width;
};

describe('a table on a phone', () => {
  const console = consoleForTests();
  let page: Page;
  beforeAll(async () => {
    page = await console.signedIn(undefined, { viewport: { width: WIDTH, height: 780 }, bypassCSP: true });
  });

  it('labels the values that need it and shows every action without scrolling', async () => {
    await seedAgent(console.desk.sql, console.desk.account.id, { email: 'noah@acme.test' });
    await page.goto('/settings/agents');
    const row = page.getByRole('row', { name: 'noah@acme.test' });
    for (const name of ['Make admin', 'Archive…'])
      expect(await right(row.getByRole('button', { name }))).toBeLessThan(WIDTH);
    expect(await right(row.getByText('noah@acme.test').first())).toBeLessThan(WIDTH);
    const names = await page.evaluate<string[]>(`[...document.querySelector('#agents tbody tr').cells].map((cell) =>
      getComputedStyle(cell, '::before').content.replaceAll('"', ''))`);
    expect(names.filter((name) => name !== 'none')).toEqual(['Open tickets ', 'Last seen ', 'Two-factor ']);
  });

  it('shows the button of a delivery, and passes axe', async () => {
    const { id } = await console.desk.webhook('ticket_started', 'https://example.com/hook');
    await insertPastDeliveries(console.desk, id, ['exhausted', 'delivered']);
    await page.goto(`/settings/webhooks/${id}`);
    const again = page.getByRole('button', { name: 'Redeliver' });
    expect(await again.count()).toBe(2);
    expect(await right(again.first())).toBeLessThan(WIDTH);
    expect(await axeViolations(page)).toEqual([]);
  });

  it('shows the whole delivery counts of a webhook', async () => {
    await page.goto('/settings/webhooks');
    expect(await right(page.getByText('1 given up', { exact: true }))).toBeLessThan(WIDTH);
  });
});

async function visit(page: Page, path: string): Promise<Response> {
  const answer = await page.goto(path);
  if (answer?.status() !== 200) throw new Error(`${path} answered ${answer?.status()}`);
  return answer;
}

async function fill(console: TestConsole): Promise<void> {
  const { desk } = console;
  const client = desk.client();
  const from = {
    email: 'ana@client.example',
    first_name: 'Ana',
    last_name: 'Ruiz',
    custom: { plan: 'Team', seats: 12 },
  };
  for (const subject of ['Cannot sign in', 'An invoice', 'Export stops'])
    await client.post('/v1/tickets', {
      body: '<p>Hello,</p><p>it <b>fails</b>.</p>',
      from,
      to: desk.account.mailbox.email,
      subject,
    });
  await client.put('/v1/tickets/1/assignee', { assignee: desk.account.owner.email });
  await client.put('/v1/tickets/1/priority', { priority: 'urgent' });
  await client.post('/v1/tickets/1/tags', { tags: ['billing', 'vip'] });
  await client.post('/v1/tickets/1/messages', { body: 'Looking into it. See https://example.com/status.' });
  await client.post('/v1/tickets/1/messages', { body: 'A known fault.', note: true });
  await client.put('/v1/tickets/3/state', { state: 'closed' });
  await client.post('/v1/agents', { email: 'noah@acme.test', first_name: 'Noah', last_name: 'Berg' });
  // Enough rows to make a page scroll.
  for (let count = 0; count < 12; count++) await client.post('/v1/agents', { email: `invited-${count}@acme.test` });
  await client.post('/v1/groups', { name: 'Engineering', members: [desk.account.owner.email] });
  await addAttachment(desk);
  await addWebhook(desk);
  await addView(desk);
  ADDRESSES['/settings/mailboxes/:id'] = [`/settings/mailboxes/${desk.account.mailbox.id}`];
  const saved = await client.post('/v1/saved_replies', { name: 'Thanks', body: 'Thank you!', tags: ['vip'] });
  ADDRESSES['/settings/saved-replies/:id'] = [`/settings/saved-replies/${saved.body.saved_reply.id}`];
  const application = await seedApplication(desk.sql, 'Ledgerline CRM');
  ADDRESSES['/settings/applications/own/:clientId'] = [await ownApplication(desk)];
  const { id: accountId, owner } = desk.account;
  await seedToken(desk.sql, { accountId, agentId: owner.id, applicationId: application });
}

async function ownApplication({ api, account }: Desk): Promise<string> {
  const maker = { makerAccountId: account.id, by: account.owner.id };
  const applications = api.get(ApplicationsService);
  const wanted = { name: 'Invoice Sync', redirectUris: ['https://sync.example/'], ...maker };
  const { application } = await api.get(Database).systemTransaction((tx) => applications.create(tx, wanted));
  await applications.rotateSecret({ clientId: application.clientId, ...maker }, 24);
  return `/settings/applications/own/${application.clientId}`;
}

async function addAttachment(desk: Desk): Promise<void> {
  const { messages } = (await desk.client().get('/v1/tickets/1/messages')).body;
  await postFiles(desk, messages[0].id as string, formOf([{ name: 'a “list”.csv', bytes: 'a,b' }]));
  ADDRESSES['/messages/:id'] = [`/messages/${messages[0].id}`];
}

async function addWebhook(desk: Desk): Promise<void> {
  const { id } = await desk.webhook('ticket_started', 'https://example.com/hook');
  const [first] = await insertPastDeliveries(desk, id, ['exhausted', 'delivered', 'cancelled']);
  const disabled = await desk.webhook('ticket_closed', 'https://example.com/gone');
  await desk.sql.query("update webhooks set state = 'disabled', disabled_reason = 'operator' where id = $1", [
    disabled.id,
  ]);
  const { rows } = await desk.sql.query<{ id: string }>(
    "select id from activities where kind = 'ticket_priority_changed'",
  );
  Object.assign(ADDRESSES, {
    '/settings/webhooks/:id': [`/settings/webhooks/${id}`, `/settings/webhooks/${disabled.id}`],
    '/settings/webhooks/created': [`/settings/webhooks/created?id=${id}`],
    '/settings/deliveries/:id': [`/settings/deliveries/${first}`],
    '/settings/events/:id': [`/settings/events/${rows[0]!.id}`],
  });
}

async function addView({ sql, account }: Desk): Promise<void> {
  const { rows } = await sql.query<{ id: string }>(
    `insert into saved_views (id, account_id, name, name_key, query, position, created_at)
     values (gen_random_uuid(), $1, 'Billing', 'billing', 'folder=open&tag=billing', 1, now()) returning id`,
    [account.id],
  );
  ADDRESSES['/views/:id'] = [`/views/${rows[0]!.id}`];
}
