import type { Page, Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axeFaults } from '../support/browser.js';
import { type Console, startConsole } from '../support/console.js';

const PAGES = [
  '/inbox?folder=open',
  '/inbox?folder=closed',
  '/tickets/1?folder=open',
  '/tickets/new',
  '/customers',
  '/customers/new',
  '/customers/ana@client.example',
  '/settings/agents',
  '/settings/mailboxes',
  '/settings/groups',
  '/profile',
];

describe('every page of the console', () => {
  let console: Console;

  beforeAll(async () => {
    console = await startConsole();
    await fill(console);
  });
  afterAll(() => console.stop());

  for (const colorScheme of ['light', 'dark'] as const)
    it(`has nothing that axe finds fault with, in ${colorScheme}`, async () => {
      const page = await console.signedIn(undefined, { colorScheme, bypassCSP: true });
      const faults: string[] = [];
      for (const path of PAGES) {
        await visit(page, path);
        faults.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`));
      }
      expect(faults).toEqual([]);
    });

  it('has one heading of the first rank, a skip link and a title of its own', async () => {
    const page = await console.signedIn();
    const outlines: object[] = [];
    const titles = new Set<string>();
    for (const path of PAGES) {
      await visit(page, path);
      const [headings, skips] = [page.locator('h1'), page.locator('a.skip[href="#main"]')];
      outlines.push({ path, headings: await headings.count(), skips: await skips.count() });
      titles.add(await page.title());
    }
    expect(outlines).toEqual(PAGES.map((path) => ({ path, headings: 1, skips: 1 })));
    expect(titles.size).toBe(PAGES.length);
    expect(console.complaints).toEqual([]);
  });

  it('fits a telephone: nothing is wider than the screen', async () => {
    const page = await console.signedIn(undefined, { viewport: { width: 390, height: 780 } });
    const tooWide: string[] = [];
    for (const path of PAGES) {
      await visit(page, path);
      const excess = Number(await page.evaluate('document.documentElement.scrollWidth - window.innerWidth'));
      if (excess > 0) tooWide.push(`${path} by ${excess}`);
    }
    expect(tooWide).toEqual([]);
  });

  it('sends at most 60 KB compressed, and allows nothing inline', async () => {
    const page = await console.signedIn();
    for (const path of PAGES) {
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

async function visit(page: Page, path: string): Promise<Response> {
  const answer = await page.goto(path);
  if (answer?.status() !== 200) throw new Error(`${path} answered ${answer?.status()}`);
  return answer;
}

async function fill({ desk }: Console): Promise<void> {
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
  await client.post('/v1/groups', { name: 'Engineering', members: [desk.account.owner.email] });
}
