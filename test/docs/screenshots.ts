import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import { SessionsService } from '#libs/access';
import type { Browser, Page } from 'playwright-core';
import { runDemo } from '../cli/run.js';
import { launchBrowser } from '#test/support/browser.js';
import { type Desk, startDesk } from '#test/support/desk.js';

const FOLDER = 'docs/images';
const SIZE = { width: 1360, height: 850 };

interface Picture {
  readonly file: string;
  readonly colorScheme: 'light' | 'dark';
  readonly path: string;
  /** Follows the first of these links. */
  readonly link?: string;
}

const PICTURES: readonly Picture[] = [
  { file: 'ticket-light', colorScheme: 'light', path: '/inbox?folder=open', link: '.ticket-row a' },
  { file: 'ticket-dark', colorScheme: 'dark', path: '/inbox?folder=open', link: '.ticket-row a' },
  { file: 'webhooks-light', colorScheme: 'light', path: '/settings/webhooks' },
  { file: 'webhook-light', colorScheme: 'light', path: '/settings/webhooks', link: 'a.mono:text("agent_replied")' },
  {
    file: 'event-light',
    colorScheme: 'light',
    path: '/settings/events?kind=ticket_started',
    link: 'td a[href^="/settings/events/"]',
  },
  { file: 'applications-dark', colorScheme: 'dark', path: '/settings/applications' },
];

/** Takes the pictures of the documents from a desk with the sample data of `npm run demo`. */
async function takeScreenshots(): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const desk = await startDesk();
  const browser = await launchBrowser();
  try {
    await desk.sql.query("update agents set email = 'olivia@example.com', first_name = 'Olivia', last_name = 'Owner'");
    const demo = await runDemo([], desk.environment);
    if (demo.code !== 0) throw new Error(demo.err);
    for (const picture of PICTURES) await take(desk, browser, picture);
  } finally {
    await browser.close();
    await desk.stop();
  }
}

async function take(desk: Desk, browser: Browser, { file, colorScheme, path, link }: Picture): Promise<void> {
  const context = await browser.newContext({ baseURL: desk.base, viewport: SIZE, colorScheme });
  await context.addCookies([{ name: 'deskwire-session', value: await newSession(desk), url: desk.base }]);
  const page = await context.newPage();
  await page.goto(path);
  if (link) await follow(page, link);
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: `${FOLDER}/${file}.png` });
  process.stdout.write(`${FOLDER}/${file}.png\n`);
  await context.close();
}

async function follow(page: Page, link: string): Promise<void> {
  await page.goto((await page.locator(link).first().getAttribute('href'))!);
}

async function newSession(desk: Desk): Promise<string> {
  const agent = { id: desk.account.owner.id, accountId: desk.account.id };
  const { token } = await desk.api.get(SessionsService).open(agent, { userAgent: 'Chrome', address: '127.0.0.1' });
  return token;
}

await takeScreenshots();
