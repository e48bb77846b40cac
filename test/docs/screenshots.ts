import 'reflect-metadata';
import { mkdirSync } from 'node:fs';
import { PasswordsService, SessionsService } from '#libs/access';
import type { Browser, Page } from 'playwright-core';
import { runDemo } from '../cli/run.js';
import { launchBrowser } from '#test/support/browser.js';
import { type Desk, startDesk } from '#test/support/desk.js';
import { mailText, processed } from '#test/support/mails.js';

const FOLDER = 'docs/images';
const SIZE = { width: 1360, height: 850 };

interface Picture {
  readonly file: string;
  readonly colorScheme: 'light' | 'dark';
  readonly path: string;
  /** Follows the first of these links. */
  readonly link?: string;
  readonly size?: typeof SIZE;
  /** Runs before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>;
  /** The part of the page to take, with a margin. */
  readonly part?: string;
}

const OPEN = '/inbox?folder=open';
const ROW = '.ticket-row a';
const OWNER_PASSWORD = 'correct horse battery';
/** For a part of a page. */
const LOW = { width: 1280, height: 560 };
const PHONE = { width: 390, height: 780 };

const write = async (page: Page, text: string) => {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.locator('[data-draft-status]', { hasText: 'saved' }).waitFor();
};

const chooseMerge = async (page: Page) => {
  for (const place of [4, 5]) await page.locator('.ticket-row [type="checkbox"]').nth(place).check();
  await page.keyboard.press('m');
  await page.waitForURL(/merge/);
};

/** Names, texts and effects. */
const SAVED_REPLIES = [
  { name: 'Return label', body: 'Hello {{customer}},\n\nyour return label is attached.', tags: ['returns'] },
  { name: 'Where is my order?', body: 'Hello {{customer}},\n\nyour parcel is on its way.', tags: ['delivery'] },
  { name: 'Thank you and goodbye', body: 'Glad that it works. Have a nice day!', state: 'closed' },
] as const;

const PICTURES: readonly Picture[] = [
  { file: 'ticket-light', colorScheme: 'light', path: OPEN, link: ROW },
  { file: 'ticket-dark', colorScheme: 'dark', path: OPEN, link: ROW },
  { file: 'ticket-phone', colorScheme: 'light', path: OPEN, link: ROW, size: PHONE },
  {
    file: 'selected-light',
    colorScheme: 'light',
    path: '/inbox?folder=needs_reply',
    act: async (page) => {
      for (const place of [0, 1, 3]) await page.locator('.ticket-row [type="checkbox"]').nth(place).check();
    },
  },
  {
    file: 'reply-light',
    colorScheme: 'light',
    path: OPEN,
    link: ROW,
    size: LOW,
    part: '.ticket',
    act: async (page) => {
      await write(page, 'Thank you for your message. We are looking into it, and will be back today.');
      await page.getByLabel('More ways to send').click();
    },
  },
  {
    file: 'undo-light',
    colorScheme: 'light',
    path: OPEN,
    link: '.ticket-row:nth-child(3) a',
    size: LOW,
    part: '.ticket',
    act: async (page) => {
      await write(page, 'A replacement is on its way.');
      await page.keyboard.press('Control+Enter');
      await page
        .getByText(/will be sent in/)
        .first()
        .waitFor();
    },
  },
  {
    file: 'preview-light',
    colorScheme: 'light',
    path: OPEN,
    link: '.ticket-row:nth-child(4) a',
    part: '.ticket',
    act: async (page) => {
      await write(
        page,
        'We found **two ways** to help:\n\n- a new pole, free of charge\n- or a [refund](https://shop.example/refunds)\n\nWhich one do you prefer?',
      );
      await page.getByRole('button', { name: 'Preview' }).click();
      await page.locator('.composer strong', { hasText: 'two ways' }).waitFor();
    },
  },
  {
    file: 'saved-replies-light',
    colorScheme: 'light',
    path: OPEN,
    link: '.ticket-row:nth-child(4) a',
    size: LOW,
    part: '.ticket',
    act: async (page) => {
      await page.keyboard.press('r');
      await page.keyboard.type('/');
      await page.getByText('Return label').first().waitFor();
    },
  },
  {
    file: 'scheduled-light',
    colorScheme: 'light',
    path: OPEN,
    link: '.ticket-row:nth-child(6) a',
    size: LOW,
    part: '.ticket',
    act: async (page) => {
      await write(page, 'Good morning! Your parcel has left our warehouse.');
      await page.getByLabel('More ways to send').click();
      await page.getByRole('button', { name: 'Send tomorrow' }).click();
      await page.getByText('Sends at').first().waitFor();
    },
  },
  {
    file: 'mention-light',
    colorScheme: 'light',
    path: OPEN,
    link: '.ticket-row:nth-child(7) a',
    size: LOW,
    part: '.ticket',
    act: async (page) => {
      await page.keyboard.press('n');
      await page.keyboard.type('Do we still have this size, @');
      await page.locator('#mentions [role="option"]').first().waitFor();
    },
  },
  {
    file: 'merge-light',
    colorScheme: 'light',
    path: '/inbox?folder=needs_reply',
    act: chooseMerge,
    size: LOW,
    part: 'main',
  },
  {
    file: 'snooze-light',
    colorScheme: 'light',
    path: OPEN,
    link: '.ticket-row:nth-child(5) a',
    size: LOW,
    part: '.ticket',
    act: (page) => page.locator('.ticket-tools summary', { hasText: 'Snooze' }).click(),
  },
  {
    file: 'views-light',
    colorScheme: 'light',
    path: `${OPEN}&priority=high`,
    size: LOW,
    part: '.list',
    act: (page) => page.getByText('Save view').first().click(),
  },
  {
    file: 'shortcuts-light',
    colorScheme: 'light',
    path: OPEN,
    part: '#shortcuts',
    act: (page) => page.keyboard.press('?'),
  },
  {
    file: 'two-factor-light',
    colorScheme: 'light',
    path: '/profile/two-factor',
    size: { width: 900, height: 700 },
    part: 'main',
    act: async (page) => {
      await page.getByLabel('Your password').first().fill(OWNER_PASSWORD);
      await page.getByRole('button', { name: 'Set up' }).click();
      await page.getByRole('img', { name: 'QR code' }).waitFor();
    },
  },
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
    await desk.sql.query('update accounts set undo_send_seconds = 10');
    const demo = await runDemo([], desk.environment);
    if (demo.code !== 0) throw new Error(demo.err);
    await desk.api.get(PasswordsService).set(desk.account.id, desk.account.owner.id, OWNER_PASSWORD);
    for (const reply of SAVED_REPLIES) await desk.client().post('/v1/saved_replies', { ...reply, shared: true });
    for (const picture of PICTURES) await take(desk, browser, picture);
    await quarantine(desk);
    await take(desk, browser, { file: 'quarantine-light', colorScheme: 'light', path: '/quarantine', size: LOW });
  } finally {
    await browser.close();
    await desk.stop();
  }
}

async function take(desk: Desk, browser: Browser, picture: Picture): Promise<void> {
  const { file, colorScheme, path, link, size = SIZE, act, part } = picture;
  const context = await browser.newContext({ baseURL: desk.base, viewport: size, colorScheme });
  await context.addCookies([{ name: 'deskwire-session', value: await newSession(desk), url: desk.base }]);
  const page = await context.newPage();
  await page.goto(path);
  if (link) await follow(page, link);
  await act?.(page);
  await page.waitForLoadState('networkidle');
  const taken = part ? page.locator(part).first() : page;
  await taken.screenshot({ path: `${FOLDER}/${file}.png` });
  process.stdout.write(`${FOLDER}/${file}.png\n`);
  await context.close();
}

/** Last, because the worker also sends the deliveries of the sample data. */
async function quarantine(desk: Desk): Promise<void> {
  await desk.worker();
  // An agent’s address can be forged.
  const from = { From: 'Maya Lindqvist <maya@example.com>', Subject: 'New bank account for refunds' };
  await processed(desk, mailText(from, 'Hello team, please use the account below for refunds from now on.'));
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
