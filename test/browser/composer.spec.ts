// @module-tag long
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import {
  BROWSERS,
  composer,
  messageFromMaya,
  openTicket,
  scheduledReplies,
  send,
  sendAnd,
  sentTo,
  ticketOf,
} from './support/ticket-page.js';

const console = consoleForTests();
beforeEach(() => undoSeconds(0));

const undoSeconds = (seconds: number) =>
  console.desk.sql.query('update accounts set undo_send_seconds = $1', [seconds]);

const PHONE = { viewport: { width: 390, height: 844 } };
const LONG = 'And another thing.\n'.repeat(60);

const writtenByCustomer = (number: number, body: string) =>
  console.desk.client().post(`/v1/tickets/${number}/messages`, { body, author: 'ana@client.example' });

const noteRadio = (page: Page) => page.getByRole('radio', { name: 'Note' });
const isFocused = (page: Page) => page.evaluate('document.activeElement.id === "body"');
const note = (page: Page) => page.getByRole('article', { name: 'Internal note from Maya Lind' });

async function typeNote(page: Page, text: string): Promise<void> {
  await page.locator('#ticket').press('n');
  await page.keyboard.type(text);
  await page.keyboard.press('Control+Enter');
  await note(page).getByText(text).waitFor();
}

/** Whether at least `px` of the element are above the composer, and on the screen. */
const isShown = (page: Page, selector: string, px = 40): Promise<boolean> =>
  page.evaluate(`(() => {
    const { top, bottom } = [...document.querySelectorAll(${JSON.stringify(selector)})].at(-1).getBoundingClientRect();
    const fold = Math.min(document.querySelector('#composer').getBoundingClientRect().top, innerHeight);
    return Math.min(bottom, fold) - Math.max(top, 0) >= ${px};
  })()`);

describe('after a note', () => {
  it('writes a second note when the keys are pressed again', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await typeNote(page, 'She is a reseller.');
    expect(await noteRadio(page).isChecked()).toBe(true);
    await composer(page).fill('Do not tell her.');
    await page.keyboard.press('Control+Enter');
    await note(page).getByText('Do not tell her.').waitFor();

    expect(await sentTo(console.desk, number)).toMatchObject([{ note: true }, { note: true }]);
    expect(console.browserErrors).toEqual([]);
  });

  it.each(BROWSERS)('shows Add note, and starts with a reply on another ticket, %s', async (_, options) => {
    const [other, number] = [await ticketFromAna(console.desk), await ticketFromAna(console.desk)];
    const page = await openTicket(console, number, options);
    await page.getByText('Note', { exact: true }).click();
    await composer(page).fill('For us.');
    await page.getByRole('button', { name: 'Add note', exact: true }).click();
    await note(page).waitFor();
    expect(await noteRadio(page).isChecked()).toBe(true);

    await page.locator(`#row-${other} a`).click();
    await page.locator(`#ticket[data-ticket="${other}"]`).waitFor();
    expect(await noteRadio(page).isChecked()).toBe(false);
  });

  it('keeps a note a note when another change is undone', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await page.locator('#toasts').getByRole('button', { name: 'Undo' }).waitFor();
    await page.getByText('Note', { exact: true }).click();
    await page.locator('#toasts').getByRole('button', { name: 'Undo' }).click();
    await page.getByText(`Change to #${number} undone.`).waitFor();

    expect(await noteRadio(page).isChecked()).toBe(true);
  });

  it('keeps written text a note when r is pressed', async () => {
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await page.locator('#ticket').press('n');
    await page.keyboard.type('Between us.');
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');

    expect(await isFocused(page)).toBe(true);
    expect(await noteRadio(page).isChecked()).toBe(true);
  });
});

describe('after a reply', () => {
  it('undoes the reply when z is pressed, and returns the caret to its text', async () => {
    await undoSeconds(30);
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await composer(page).fill('Too early.');
    await page.keyboard.press('Control+Enter');
    await scheduledReplies(page).waitFor();
    await page.keyboard.press('z');
    await page.getByText('Sending undone. Your draft is back.').waitFor();

    expect(await composer(page).inputValue()).toBe('Too early.');
    expect(await isFocused(page)).toBe(true);
    expect(console.browserErrors).toEqual([]);
  });

  it('joins what was typed since with the undone reply, and asks for no choice of drafts', async () => {
    await undoSeconds(30);
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).fill('Too early.');
    await page.keyboard.press('Control+Enter');
    await scheduledReplies(page).waitFor();
    await composer(page).fill('And the next.');
    await scheduledReplies(page).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Sending undone. Your draft is back.').waitFor();

    expect(await composer(page).inputValue()).toBe('Too early.\n\nAnd the next.');
    const saves = page.waitForResponse('**/draft');
    await page.keyboard.type('!');
    expect((await saves).status()).toBe(200);
    expect(await page.locator('#composer').getByRole('alert').count()).toBe(0);
  });

  it.each([
    ['wide', {}],
    ['narrow', PHONE],
  ])('shows it above the composer on a %s screen', async (_, options) => {
    const number = await ticketFromAna(console.desk, { body: LONG });
    await writtenByCustomer(number, LONG);
    const page = await openTicket(console, number, options);
    await composer(page).fill('Short.');
    await page.keyboard.press('Control+Enter');
    await messageFromMaya(page).waitFor();

    await expect.poll(() => isShown(page, '.message.agent', 70)).toBe(true);
  });
});

describe('a reply with a state for its ticket', () => {
  it.each([0, 30])('lets the ticket wait for the customer, with a delay of %d seconds', async (seconds) => {
    await undoSeconds(seconds);
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await composer(page).fill('Which size?');
    await sendAnd(page, 'wait for customer');
    if (seconds > 0) {
      await page
        .getByText(/^Reply to #\d+ will be sent and the ticket set to wait for the customer in \d+ s$/)
        .waitFor();
      console.desk.clock.advance({ seconds: seconds + 1 });
    }
    await messageFromMaya(page).waitFor();

    await expect.poll(async () => (await ticketOf(console.desk, number)).state).toBe('pending');
  });

  it('does not offer to close a closed ticket', async () => {
    const number = await ticketFromAna(console.desk);
    await console.desk.client().put(`/v1/tickets/${number}/state`, { state: 'closed' });
    const page = await openTicket(console, number);
    await composer(page).focus();
    await page.locator('#composer .split summary').click();
    await page.getByLabel('After sending').waitFor();

    const offered = await page.locator('#composer .split button:visible').allTextContents();
    expect(offered).toContain('Send and wait for customer');
    expect(offered).not.toContain('Send and close');
  });
});

describe('a phone', () => {
  it('opens a ticket at the newest message, with the composer at the bottom of the screen', async () => {
    const number = await ticketFromAna(console.desk, { body: LONG });
    await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'The newest.' });
    const page = await openTicket(console, number, PHONE);
    await eventually(() => isShown(page, '.message'));
    const box = (await page.locator('#composer').boundingBox())!;
    expect(box.height).toBeLessThan(70);
    expect(box.y + box.height).toBeLessThanOrEqual(PHONE.viewport.height);
    expect(box.y + box.height).toBeGreaterThan(PHONE.viewport.height - 20);

    await composer(page).click();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
  });

  it('opens a ticket at the first message that was not seen', async () => {
    const number = await ticketFromAna(console.desk, { body: LONG });
    await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: LONG });
    await writtenByCustomer(number, 'First new.');
    await writtenByCustomer(number, LONG);
    const page = await openTicket(console, number, PHONE);

    await expect.poll(() => isShown(page, '[data-unread]')).toBe(true);
  });
});

describe('the composer', () => {
  it('takes text right after a click on Note or Reply', async () => {
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).click();
    await page.getByText('Note', { exact: true }).click();
    await page.keyboard.type('For us');
    await page.getByText('Reply', { exact: true }).click();
    await page.keyboard.type(' all');

    expect(await composer(page).inputValue()).toBe('For us all');
    expect(await noteRadio(page).isChecked()).toBe(false);
  });

  it('sends nothing when Enter is pressed on Note or Reply, which arrow keys choose', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await composer(page).fill('Not yet.');
    await page.getByRole('radio', { name: 'Reply' }).focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    expect(await noteRadio(page).isChecked()).toBe(true);
    await page.getByText('Your draft is saved.').waitFor();

    expect(await sentTo(console.desk, number)).toEqual([]);
    expect(await page.evaluate('document.activeElement.value')).toBe('note');
  });

  it('takes one line until it is in use', async () => {
    const page = await openTicket(console, await ticketFromAna(console.desk));
    const height = async () => (await page.locator('#composer').boundingBox())!.height;
    const closed = await height();
    await composer(page).click();
    expect(await height()).toBeGreaterThan(closed + 80);
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await page.locator('.conversation').click();
    expect(closed).toBeLessThan(60);
    await eventually(async () => (await height()) === closed);
  });
});

describe('a message that arrives below the fold', () => {
  it('appears in an announcement, and in the thread when that is pressed', async () => {
    const number = await ticketFromAna(console.desk, { body: LONG });
    const page = await openTicket(console, number);
    await page.evaluate('document.querySelector("[data-conversation]").scrollTop = 0');
    await writtenByCustomer(number, 'It works now.');
    await page.getByRole('status').getByRole('button', { name: '1 new message ↓' }).waitFor();
    expect(await page.evaluate('document.querySelector("[data-conversation]").scrollTop')).toBe(0);
    await writtenByCustomer(number, 'Thank you.');
    await page.getByRole('button', { name: '2 new messages ↓' }).click();

    await eventually(() => isShown(page, '.message', 20));
    expect(await page.getByRole('button', { name: /new message/ }).count()).toBe(0);
  });

  it('leaves the announcement when the reader reaches the end', async () => {
    const number = await ticketFromAna(console.desk, { body: LONG });
    const page = await openTicket(console, number);
    await page.evaluate('document.querySelector("[data-conversation]").scrollTop = 0');
    await writtenByCustomer(number, 'It works now.');
    await page.getByRole('button', { name: '1 new message ↓' }).waitFor();
    await page.evaluate('document.querySelector("[data-conversation]").scrollTop = 1e6');

    await expect.poll(() => page.getByRole('button', { name: /new message/ }).count()).toBe(0);
  });

  it('appears without an announcement when it is the reader’s own scheduled reply', async () => {
    await undoSeconds(30);
    const number = await ticketFromAna(console.desk, { body: LONG });
    const page = await openTicket(console, number);
    await composer(page).fill('On it.');
    await send(page);
    await scheduledReplies(page).waitFor();
    await page.evaluate('document.querySelector("[data-conversation]").scrollTop = 0');
    console.desk.clock.advance({ seconds: 31 });
    await eventually(async () => (await scheduledReplies(page).count()) === 0);

    expect(await page.getByRole('button', { name: /new message/ }).count()).toBe(0);
  });
});
