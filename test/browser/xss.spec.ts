// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, consoleForTests } from '#test/support/console.js';
import { consolePages } from '#test/support/console-routes.js';
import { leaveStrangeRecords } from './support/strange-records.js';
import { PAYLOADS } from './xss-payloads.js';

/** A hundred pages, each tested in several ways while other tests run. */
const ALL_PAGES_MS = 120_000;

/** Payloads per ticket: in combination they could break out of markup that contains each one alone. */
const TOGETHER = 6;

describe('text from strangers', () => {
  const console = consoleForTests();
  const tickets: number[] = [];
  let strange: string[] = [];
  const asked: string[] = [];

  beforeAll(async () => {
    for (let from = 0; from < PAYLOADS.length; from += TOGETHER)
      tickets.push(await write(console, PAYLOADS.slice(from, from + TOGETHER), from));
    strange = await leaveStrangeRecords(console.desk, PAYLOADS);
  });

  // The first round runs without the policy: the markup must be safe without this second line of defence.
  for (const bypassCSP of [true, false])
    it(
      `runs no script in the console, ${bypassCSP ? 'even without its policy' : 'and requests nothing that the policy forbids'}`,
      { timeout: ALL_PAGES_MS },
      async () => {
        const page = await console.signedIn(undefined, { bypassCSP });
        page.on('dialog', (dialog) => asked.push(dialog.message()));
        page.on('request', (request) => {
          if (!request.url().startsWith(console.desk.base) && !request.url().startsWith('data:'))
            asked.push(request.url());
        });
        const ran: string[] = [];
        for (const path of [...pages(tickets), ...strange]) {
          await page.goto(path);
          await provoke(page);
          if (await page.evaluate('Boolean(window.ran)')) ran.push(path);
          expect(new URL(page.url()).pathname).toBe(new URL(path, console.desk.base).pathname);
        }
        expect({ ran, asked }).toEqual({ ran: [], asked: [] });
        expect(console.browserErrors).toEqual([]);
      },
    );

  it('sends no referrer from links, and loads no remote images by default', async () => {
    const number = await write(
      console,
      ['<a href="https://evil.test/x">x</a><img src="https://evil.test/p.png">'],
      999,
    );
    const page = await console.signedIn();
    await page.goto(`/tickets/${number}`);
    const link = page.locator('.body a').first();
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await page.locator('.body img').count()).toBe(0);
    await page.route('https://evil.test/**', (route) => route.abort());
    await page.getByRole('link', { name: 'Load remote images' }).first().click();
    await page.waitForURL('**images=1**');
    expect(await page.locator('.body img[src="https://evil.test/p.png"]').count()).toBe(3);
  });
});

/** Fills every field that an outsider can fill. */
async function write({ desk }: TestConsole, payloads: readonly string[], place: number): Promise<number> {
  const client = desk.client();
  const [first = ''] = payloads;
  const pick = (index: number): string => (payloads[index % payloads.length] ?? first).slice(0, 200);
  const from = {
    email: `stranger${place}@client.example`,
    first_name: pick(0),
    last_name: pick(1),
    about: pick(2),
    title: pick(3),
    company_name: pick(4),
    phone_number: pick(5).slice(0, 100),
    location: pick(0),
    website_url: pick(1),
    twitter_username: pick(2),
    linkedin_username: pick(3),
    custom: { [pick(4)]: pick(5), plain: pick(0) },
  };
  const to = desk.account.mailbox.email;
  const started = await client.post('/v1/tickets', {
    from,
    to,
    subject: pick(0),
    body: first,
    tags: [pick(1).slice(0, 100)],
  });
  if (started.status !== 201) throw new Error(started.text);
  const { number } = started.body.ticket;
  for (const body of [...payloads, payloads.join('\n')])
    await client.post(`/v1/tickets/${number}/messages`, { body, author: from.email });
  return number as number;
}

const pages = (tickets: readonly number[]): string[] => [
  ...tickets.map((number) => `/tickets/${number}?folder=open`),
  ...tickets.map((_, place) => `/customers/stranger${place * TOGETHER}@client.example`),
  '/inbox?folder=open',
  ...consolePages().filter((page) => !page.includes(':')),
  ...PAYLOADS.slice(0, 12).map((payload) => `/inbox?q=${encodeURIComponent(payload)}`),
  ...PAYLOADS.slice(40, 52).map((payload) => `/tickets/new?to=${encodeURIComponent(payload)}`),
  ...PAYLOADS.slice(52, 58).map((payload) => `/settings/events?kind=${encodeURIComponent(payload)}`),
];

/** Hovers over everything, clicks what strangers wrote, and focuses fields. */
async function provoke(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (const element of document.querySelectorAll('.body *, .facts *, .ticket-row *, h1, h2, td, td span, pre, .attachments *, .card p')) {
      for (const type of ['mouseover', 'pointerenter', 'focus', 'scroll', 'animationstart'])
        element.dispatchEvent(new Event(type, { bubbles: true }));
      const leads = element.closest('a')?.protocol ?? '';
      if (!element.closest('.ticket-row, .attachments, button, form, dialog, summary') && !/^(https?|mailto):/.test(leads)) element.click?.();
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  })()`);
}
