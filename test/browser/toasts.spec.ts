// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { chooseAfterSending, composer, scheduledReplies, send, ticketOf } from './support/ticket-page.js';

const console = consoleForTests();
let page: Page;
beforeAll(async () => {
  await console.desk.sql.query('update accounts set undo_send_seconds = 30');
});
/** Each test moves the clock of its page, which may end a request of that page early. */
beforeEach(async () => {
  console.browserErrors.length = 0;
  await console.desk.sql.query('delete from held_replies');
  page = await console.signedIn();
  await page.clock.install();
});

const toasts = () => page.locator('#toasts .notice');
const partsOf = (number: number) => ticketOf(console.desk, number);
const held = async () => (await console.desk.sql.query('select from held_replies')).rowCount;

async function open(number: number): Promise<void> {
  await page.goto(`/tickets/${number}?folder=open`);
}

async function openBeside(number: number): Promise<void> {
  await page.locator(`#row-${number} a`).click();
  await page.locator(`#ticket[data-ticket="${number}"]`).waitFor();
}

async function reply(after = 'stay'): Promise<void> {
  await composer(page).fill('On its way.');
  await chooseAfterSending(page, after);
  await send(page);
  await page.getByText(/^Reply to #\d+ will be sent in \d+ s$/).waitFor();
}

async function makeUrgent(number: number): Promise<void> {
  await page.locator('#properties [data-tool="p"] summary').click();
  await page.getByRole('button', { name: 'urgent' }).click();
  await page.getByText(`#${number} set to urgent priority.`).waitFor();
}

describe('the toast of a scheduled reply', () => {
  it('counts down next to the reply, announces the time once, and disappears at the end', async () => {
    const number = await ticketFromAna(console.desk);
    await open(number);
    await reply();
    const read = await toasts().locator('.unseen').textContent();
    expect(read).toMatch(new RegExp(`^Reply to #${number} will be sent in (2[5-9]|30) seconds\\.$`));
    await page.clock.fastForward(12_000);
    await page.getByText(new RegExp(`^Reply to #${number} will be sent in (1[0-8]|[5-9]) s$`)).waitFor();
    await scheduledReplies(page)
      .getByText(/^Sends in \d+ s$/)
      .waitFor();
    expect(await toasts().locator('.unseen').textContent()).toBe(read);

    await page.clock.fastForward(20_000);
    await eventually(async () => (await toasts().count()) === 0);
    // A live update shows the time left on the server clock, which does not jump.
    await eventually(async () => {
      await page.clock.fastForward(30_000);
      return scheduledReplies(page).getByText('Sending…').isVisible();
    });
  });

  it('stays on the next ticket, where z does not undo it', async () => {
    const [next, number] = [await ticketFromAna(console.desk), await ticketFromAna(console.desk)];
    await open(number);
    await reply('next');
    await page.waitForURL(`**/tickets/${next}?folder=open`);
    await page.getByText(new RegExp(`^Reply to #${number} will be sent in \\d+ s$`)).waitFor();
    await page.keyboard.press('z');
    await openBeside(number);
    await openBeside(next);
    expect(await toasts().count()).toBe(1);

    await page.keyboard.press('z');
    await page.keyboard.press('c');
    await page.getByText(`#${next} closed.`).waitFor();
    expect(await held()).toBe(1);
    expect(page.url()).toContain(`/tickets/${next}`);
  });
});

describe('the toast of a change', () => {
  it('disappears on time, however often the page updates', async () => {
    const number = await ticketFromAna(console.desk);
    await open(number);
    await makeUrgent(number);
    for (const body of ['One.', 'Two.']) {
      await page.clock.fastForward(14_000);
      expect(await toasts().count()).toBe(1);
      await console.desk.client().post(`/v1/tickets/${number}/messages`, { body, author: 'ana@client.example' });
      await page.locator('#thread').getByText(body, { exact: true }).waitFor();
    }
    await page.clock.fastForward(3000);
    await eventually(async () => (await toasts().count()) === 0);
  });

  it('disappears when another ticket is opened, where z undoes nothing', async () => {
    const [other, number] = [await ticketFromAna(console.desk), await ticketFromAna(console.desk)];
    await open(number);
    await makeUrgent(number);
    await openBeside(other);
    expect(await toasts().count()).toBe(0);
    await page.keyboard.press('z');

    await page.keyboard.press('c');
    await page.getByText(`#${other} closed.`).waitFor();
    expect(await partsOf(number)).toMatchObject({ priority: 'urgent' });
    await page.keyboard.press('z');
    await page.getByText(`Change to #${other} undone.`).waitFor();
    expect(await partsOf(other)).toMatchObject({ state: 'unread' });
  });

  it('leaves a closed ticket closed when z is pressed and nothing can be undone', async () => {
    const number = await ticketFromAna(console.desk);
    await console.desk.client().put(`/v1/tickets/${number}/state`, { state: 'closed' });
    await open(number);
    await page.keyboard.press('z');
    await makeUrgent(number);
    expect(await partsOf(number)).toMatchObject({ state: 'closed' });
  });
});
