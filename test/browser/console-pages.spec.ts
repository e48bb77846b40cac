import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Console, axeFaults, startConsole } from '../support/console.js';

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
        const answer = await page.goto(path);
        expect(answer?.status(), path).toBe(200);
        faults.push(...(await axeFaults(page)).map((fault) => `${path} ${fault}`));
      }
      expect(faults).toEqual([]);
    });

  it('has one heading of the first rank, a skip link and a title of its own', async () => {
    const page = await console.signedIn();
    const titles = new Set<string>();
    for (const path of PAGES) {
      await page.goto(path);
      expect(await page.locator('h1').count(), path).toBe(1);
      expect(await page.locator('a.skip[href="#main"]').count(), path).toBe(1);
      titles.add(await page.title());
    }
    expect(titles.size).toBe(PAGES.length);
    expect(console.complaints).toEqual([]);
  });

  it('fits a telephone: nothing is wider than the screen', async () => {
    const page = await console.signedIn(undefined, { viewport: { width: 390, height: 780 } });
    for (const path of PAGES) {
      await page.goto(path);
      const tooWide = await page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect(tooWide, path).toBeLessThanOrEqual(0);
    }
  });

  it('sends at most 60 KB compressed, and allows nothing inline', async () => {
    const page = await console.signedIn();
    for (const path of PAGES) {
      const answer = await page.goto(path);
      const { responseBodySize } = await answer!.request().sizes();
      expect(responseBodySize, path).toBeLessThan(60 * 1024);
      expect(answer?.headers()['content-encoding'], path).toBe('gzip');
      const policy = answer?.headers()['content-security-policy'] ?? '';
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toContain('unsafe');
    }
  });
});

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
