// @module-tag long
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { BROWSERS, composer, messageFromMaya, openTicket, send, sentTo } from './support/ticket-page.js';

const console = consoleForTests();
beforeEach(() => console.desk.sql.query('update accounts set undo_send_seconds = 0'));

const preview = (page: Page) => page.locator('#preview[open]');
const previewButton = (page: Page) => page.getByRole('button', { name: 'Preview' });
const select = (page: Page, from: number, to: number) =>
  page.evaluate(`document.querySelector('#body').setSelectionRange(${from}, ${to})`);
const selected = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const { value, selectionStart, selectionEnd } = document.querySelector('#body');
    return value.slice(selectionStart, selectionEnd);
  })()`);

describe('Markdown in the composer', () => {
  it.each(BROWSERS)('is previewed above the text, %s, and sent as it was shown', async (_, options) => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number, options);
    await composer(page).fill('Turn it **off**:\n- now\n\n<b>not bold</b>');
    await previewButton(page).click();
    await preview(page).getByText('off', { exact: true }).waitFor();
    const shown = await preview(page).locator('.body').innerHTML();
    const kept = await composer(page).inputValue();
    await send(page);
    await messageFromMaya(page).getByText('off', { exact: true }).waitFor();

    expect(shown).toContain('<strong>off</strong>');
    expect(shown).toContain('&lt;b&gt;not bold&lt;/b&gt;');
    expect(kept).toBe('Turn it **off**:\n- now\n\n<b>not bold</b>');
    expect(await messageFromMaya(page).locator('.body').innerHTML()).toBe(shown);
    expect(await preview(page).count()).toBe(0);
    expect(await sentTo(console.desk, number)).toHaveLength(1);
    expect(console.browserErrors).toEqual([]);
  });

  it('is previewed by a key, keeps the place of the cursor, and hides an outdated preview', async () => {
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).fill('one **two** three');
    await select(page, 4, 11);
    await page.keyboard.press('Control+Shift+P');
    await preview(page).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    expect(await selected(page)).toBe('**two**');
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await preview(page).waitFor({ state: 'hidden' });
    await page.keyboard.press('Control+Shift+P');
    await preview(page).getByText('three!').waitFor();

    expect(await composer(page).inputValue()).toBe('one **two** three!');
    expect(console.browserErrors).toEqual([]);
  });

  it('stays a note while it is previewed', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await page.locator('#ticket').press('n');
    await page.keyboard.type('For **us**');
    await page.keyboard.press('Control+Shift+P');
    await preview(page).waitFor();
    await page.keyboard.press('Control+Enter');
    await page
      .getByRole('article', { name: 'Internal note from Maya Lind' })
      .getByText('us', { exact: true })
      .waitFor();

    expect(await sentTo(console.desk, number)).toMatchObject([{ note: true, body: '<p>For <strong>us</strong></p>' }]);
  });

  it('is written by keys, which Ctrl+Z undoes', async () => {
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).fill('one two three');
    await select(page, 4, 8);
    await page.keyboard.press('Control+b');
    expect([await composer(page).inputValue(), await selected(page)]).toEqual(['one **two** three', 'two']);
    await page.keyboard.press('Control+i');
    expect(await composer(page).inputValue()).toBe('one ***two*** three');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    expect(await composer(page).inputValue()).toBe('one two three');
    await page.keyboard.press('End');
    await page.keyboard.press('Control+b');
    await page.keyboard.type('four');

    expect(await composer(page).inputValue()).toBe('one two three**four**');
  });

  it('ends by the keys that began it', async () => {
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).focus();
    for (const key of ['Control+b', 'Control+i']) await page.keyboard.press(key);
    await page.keyboard.type('one');
    for (const key of ['Control+i', 'Control+b']) await page.keyboard.press(key);
    await page.keyboard.type(' two');
    for (const key of ['Control+b', 'Control+b']) await page.keyboard.press(key);

    expect(await composer(page).inputValue()).toBe('***one*** two');
  });

  it('is removed by the same keys, whether its marks are selected or not', async () => {
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).fill('one ***two***');
    await select(page, 7, 10);
    await page.keyboard.press('Control+b');
    expect(await composer(page).inputValue()).toBe('one *two*');
    await select(page, 4, 9);
    await page.keyboard.press('Control+i');
    expect([await composer(page).inputValue(), await selected(page)]).toEqual(['one two', 'two']);
    await page.keyboard.press('Control+b');
    await page.keyboard.press('Control+i');
    expect(await composer(page).inputValue()).toBe('one ***two***');
    await page.keyboard.press('Control+i');
    expect([await composer(page).inputValue(), await selected(page)]).toEqual(['one **two**', 'two']);
  });

  it('is written by keys in a new ticket', async () => {
    const page = await console.signedIn();
    await page.goto('/tickets/new');
    await page.getByRole('textbox', { name: 'Message' }).focus();
    await page.keyboard.press('Control+b');
    await page.keyboard.type('four');

    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('**four**');
    expect(console.browserErrors).toEqual([]);
  });

  it('shows its preview and the button to send on a phone', async () => {
    const page = await openTicket(console, await ticketFromAna(console.desk), {
      viewport: { width: 390, height: 844 },
    });
    await composer(page).fill('- one\n'.repeat(60));
    await previewButton(page).click();
    await preview(page).waitFor();
    const isInView = (selector: string) =>
      page.evaluate(`document.querySelector('${selector}').getBoundingClientRect().bottom <= innerHeight`);

    expect(await isInView('[data-send]')).toBe(true);
    expect(await isInView('#preview')).toBe(true);
  });

  it('keeps the files that were chosen', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await composer(page).fill('See **file**');
    await page
      .locator('#composer [name="files"]')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await previewButton(page).click();
    await preview(page).waitFor();
    await send(page);
    const sent = await eventually(async () => {
      const messages = await sentTo(console.desk, number);
      return messages.length === 1 && messages;
    });

    expect(sent[0]!.attachments).toMatchObject([{ filename: 'a.txt' }]);
  });
});
