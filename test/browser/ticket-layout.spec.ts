// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { BROWSERS, composer, openTicket, ticketOf } from './support/ticket-page.js';

const console = consoleForTests();
let page: Page;
beforeAll(async () => {
  page = await console.signedIn();
});
beforeEach(() => page.setViewportSize({ width: 1280, height: 800 }));

const box = async (selector: string) => (await page.locator(selector).boundingBox())!;

async function historyOf(number: number): Promise<string[]> {
  await page.goto(`/tickets/${number}`);
  const all = await page.locator('.activity').allTextContents();
  return all.map((line) => line.replace(/ · .*/, '').replace('Maya Lind ', ''));
}

const TAGS = ['delivery', 'payment', 'invoice', 'returns', 'size'];

describe('the page of a ticket', () => {
  it('keeps its head in one row, without a move when the state changes', async () => {
    const number = await ticketFromAna(console.desk, { tags: TAGS, subject: 'A long subject '.repeat(9) });
    await page.goto(`/tickets/${number}?folder=open`);
    await page.getByRole('button', { name: 'Assign to me' }).click();
    await page.getByText('took this ticket').waitFor();
    const close = page.locator('#facts').getByRole('button', { name: 'Close', exact: true });
    const [head, before] = [await box('#facts'), await close.boundingBox()];
    await page.locator('#facts [data-tool="s"] summary').click();
    await page.getByRole('button', { name: 'For 3 hours' }).click();
    await page.getByRole('button', { name: 'Wake' }).waitFor();

    expect(head.height).toBeLessThanOrEqual(56);
    expect((await box('#facts')).height).toBe(head.height);
    expect(await close.boundingBox()).toEqual(before);
    await close.click();
    const reopen = page.locator('#facts').getByRole('button', { name: 'Reopen' });
    expect(await reopen.boundingBox()).toEqual(before);
    expect(await page.locator('#facts [data-tool="s"]').count()).toBe(0);
  });

  it('leaves 450 px to the conversation, and 300 px beside four Cc addresses and two drafts', async () => {
    const number = await ticketFromAna(console.desk, {
      tags: TAGS,
      assignee: console.desk.account.owner.email,
      cc: ['boss', 'dora', 'carl', 'emma'].map((name) => `${name}@client.example`),
    });
    await page.goto(`/tickets/${number}?folder=open`);
    expect((await box('.conversation')).height).toBeGreaterThanOrEqual(450);

    const second = await page.context().newPage();
    await second.goto(`/tickets/${number}`);
    await composer(second).fill('From the second window.\n'.repeat(9));
    await second.getByText('Your draft is saved.').waitFor();
    await second.close();
    await composer(page).fill('From the first window.\n'.repeat(9));
    await page.getByText('You have two drafts for').waitFor();
    await page.locator('.recipients summary').click();
    await page.locator('.recipients').getByText('emma@client.example').waitFor();
    expect((await box('.conversation')).height).toBeGreaterThanOrEqual(300);
  });

  it('has one primary action in its head', async () => {
    await page.goto(`/tickets/${await ticketFromAna(console.desk)}`);
    expect(await page.locator('#facts .primary:visible').allTextContents()).toEqual(['Close']);
  });

  it.each([390, 1280, 1920])('opens each menu inside its pane, with wide enough fields, at %d px', async (width) => {
    await page.setViewportSize({ width, height: 860 });
    await page.goto(`/tickets/${await ticketFromAna(console.desk)}?folder=open`);
    await page.evaluate(`document.querySelector('#properties').open = true`);
    for (const [pane, menu, field] of [
      ['#properties', '[data-tool="a"]', 'select[name="assignee"]'],
      ['#properties', '[data-tool="p"]', 'button[value="low"]'],
      ['#properties', '.customer .menu', 'input[name="email"]'],
      ['#ticket', '#facts [data-tool="s"]', 'input[name="until"]'],
      ['#ticket', '#facts .menu:not([data-tool])', 'input[name="title"]'],
      ['.conversation', '.message .menu', 'a[href*="forward"]'],
    ] as const) {
      await page.locator(`${pane} ${menu} > summary`).click();
      const [around, sheet] = [await box(pane), await box(`${pane} ${menu} > .sheet`)];
      expect(sheet.x).toBeGreaterThanOrEqual(around.x);
      expect(sheet.x + sheet.width).toBeLessThanOrEqual(around.x + around.width);
      expect((await box(`${pane} ${menu} ${field}`)).width).toBeGreaterThan(field.startsWith('a') ? 40 : 180);
      await page.locator(`${pane} ${menu} > summary`).click();
    }
  });

  it.each([
    [390, 100, 200],
    [1280, 56, 200],
  ])('keeps long names and fifty tags inside their panes, at %d px', async (width, maxHead, maxTags) => {
    await page.setViewportSize({ width, height: 800 });
    const number = await ticketFromAna(console.desk, {
      from: { email: 'long@client.example', first_name: 'Donaudampfschiff'.repeat(10) },
      tags: Array.from({ length: 50 }, (_, place) => `tag-number-${place}`),
    });
    await page.goto(`/tickets/${number}?folder=open`);
    const [message, name] = [await box('.message'), await box('.message header strong')];
    expect(name.x + name.width).toBeLessThanOrEqual(message.x + message.width);
    expect((await box('#facts')).height).toBeLessThanOrEqual(maxHead);
    await page.evaluate(`document.querySelector('#properties').open = true`);
    expect((await box('#properties .property.tags')).height).toBeLessThan(maxTags);
  });

  it('has no accessibility fault with its menus open', async () => {
    await page.goto(`/tickets/${await ticketFromAna(console.desk, { tags: TAGS })}?folder=open`);
    const [assignee, priority] = ['#properties [data-tool="a"]', '#properties [data-tool="p"]'];
    for (const menu of [assignee, priority, '#facts .menu:not([data-tool])', '.message .menu']) {
      await page.locator(`${menu} > summary`).click();
      expect(await axeViolations(page)).toEqual([]);
      await page.locator(`${menu} > summary`).click();
    }
  });

  it('shows no toast when nothing was changed', async () => {
    await page.goto(`/tickets/${await ticketFromAna(console.desk)}`);
    await page.locator('#properties [data-tool="p"] summary').click();
    await page.getByRole('button', { name: 'no priority' }).click();
    await page.locator('#properties [data-tool="p"]:not([open])').waitFor();
    await page.locator('#properties [data-tool="p"] summary').click();
    await page.getByRole('button', { name: 'low' }).click();
    await page.getByText('set to low priority').waitFor();
    expect(await page.locator('.activity').allTextContents()).toHaveLength(1);
  });
});

describe.each(BROWSERS)('the menu of a message, %s', (_, options) => {
  it('links the message and its original', async () => {
    const number = await ticketFromAna(console.desk, { body: 'Hello' });
    const visit = await openTicket(console, number, options);
    await visit.locator('.message .menu summary').click();
    const link = await visit.getByRole('link', { name: 'Copy link' }).getAttribute('href');
    expect(link).toMatch(new RegExp(`^/tickets/${number}#message-`));
    await visit.getByRole('link', { name: 'Show original' }).click();
    await visit.getByText('ana@client.example').first().waitFor();
    expect(await visit.locator('.message dt').allTextContents()).toEqual(['From', 'Date']);
  });

  it('does not offer to forward a note', async () => {
    const number = await ticketFromAna(console.desk);
    await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Only us', note: true });
    const visit = await openTicket(console, number, options);
    await visit.locator('.message.note .menu summary').click();
    await visit.locator('.message.note').getByRole('link', { name: 'Show original' }).waitFor();
    expect(await visit.locator('.message.note').getByRole('link', { name: 'Forward' }).count()).toBe(0);
  });
});

describe('links in messages', () => {
  it('show the host that they open if their text names another one', async () => {
    const body =
      '<p><a href="https://evil.example/">https://<b>bank.example</b>/login</a> <a href="https://a.example/">Help</a></p>';
    await page.goto(`/tickets/${await ticketFromAna(console.desk, { body })}`);
    expect(await page.locator('.message .body a').allTextContents()).toEqual([
      'https://bank.example/login → evil.example',
      'Help',
    ]);
    const text = 'See https://bank.example@evil.example/x';
    await page.goto(`/tickets/${await ticketFromAna(console.desk, { body: text })}`);
    await page.getByRole('link', { name: 'https://bank.example@evil.example/x → evil.example' }).waitFor();
  });
});

describe('the history of a ticket', () => {
  it('names what was changed, and leaves out what a message or an undo explains', async () => {
    const number = await ticketFromAna(console.desk);
    const { desk } = console;
    const path = `/v1/tickets/${number}`;
    await desk.client().post(`${path}/messages`, { body: 'On it.' });
    await desk.client().put(`${path}/tags`, ['vip', 'delay']);
    await desk.client().put(`${path}/tags`, ['vip']);
    await desk.client().put(`${path}/assignee`, { assignee: desk.account.owner.email });
    await desk.client().put(`${path}/state`, { state: 'pending' });
    await desk.client().put(`${path}/state`, { state: 'closed' });
    await desk.client().put(`${path}/state`, { state: 'opened' });
    await desk.client().put(`${path}/priority`, { priority: 'high' });
    await desk.client().put(`${path}/priority`, { priority: null });

    expect(await historyOf(number)).toEqual([
      'added the tags vip, delay',
      'removed the tag delay',
      'took this ticket',
      'set this to waiting for customer',
      'closed this',
      'reopened this',
    ]);
    expect(await ticketOf(desk, number)).toMatchObject({ state: 'opened', priority: null });
  });

  it('shows a change that was taken back much later', async () => {
    const number = await ticketFromAna(console.desk);
    await console.desk.client().put(`/v1/tickets/${number}/priority`, { priority: 'high' });
    console.desk.clock.advance({ hours: 1 });
    await console.desk.client().put(`/v1/tickets/${number}/priority`, { priority: null });
    expect(await historyOf(number)).toEqual(['set the priority to high', 'removed the priority']);
  });
});

describe('the customer of a ticket', () => {
  it('can become the sender of a forwarded email', async () => {
    const body = 'Please help her.\n\nFrom: mia@client.example\nDate: 1 Nov 2026\nSubject: Boots\n\nMy boots leak.';
    await page.goto(`/tickets/${await ticketFromAna(console.desk, { subject: 'Fwd: Boots', body })}`);
    await page.getByText('Original sender: mia@client.example').waitFor();
    const form = page.locator('.notice form');
    expect(await form.getAttribute('action')).toMatch(/\/customer$/);
    expect(await form.locator('[name="email"]').inputValue()).toBe('mia@client.example');
  });
});
