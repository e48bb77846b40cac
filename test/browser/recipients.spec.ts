// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { startDesk } from '#test/support/desk.js';
import { addMailbox, newEmail } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, newMailId, processed } from '#test/support/mails.js';
import { NextHop } from '#test/support/next-hop.js';
import { BROWSERS, composer, openTicket, send } from './support/ticket-page.js';

let hop: NextHop;
beforeAll(async () => void (hop = await NextHop.start()));
afterAll(() => hop.stop());
const console = consoleForTests(() => startDesk({ settings: { SMTP_URL: hop.url } }));
let mailbox: { email: string };
beforeAll(async () => {
  mailbox = await addMailbox(console.desk);
  await console.desk.worker();
});
beforeEach(() => undoSeconds(0));

const undoSeconds = (seconds: number) =>
  console.desk.sql.query('update accounts set undo_send_seconds = $1', [seconds]);

async function mailFromCarl() {
  const [carl, boss, dora, mailId] = [newEmail(), newEmail(), newEmail(), newMailId()];
  const headers = { From: carl, To: mailbox.email, Cc: `${boss}, ${dora}`, 'Message-ID': mailId };
  const { ticket } = await processed(console.desk, mailText(headers), { mailbox: mailbox.email });
  return { carl, boss, dora, number: ticket.number as number, mailId };
}

const recipients = (page: Page) => page.getByRole('group', { name: 'Recipients', includeHidden: true });
const inCc = (page: Page, address: string) => recipients(page).getByLabel(address);
/** The addresses are behind one line. */
async function openRecipients(page: Page): Promise<void> {
  await composer(page).focus();
  await recipients(page).locator('summary').click();
}
const latest = async (number: number) =>
  (await console.desk.client().get(`/v1/tickets/${number}/messages?per_page=100`)).body.messages.at(-1);

async function mailedTo(number: number): Promise<string[]> {
  const { id, cc } = await eventually(async () => {
    const message = await latest(number);
    return message.agent_response && message;
  });
  const mails = () => hop.taken.filter(({ parsed }) => parsed.messageId === `<${id}@localhost>`);
  await eventually(() => mails().length > (cc as string[]).length, { withinMs: 20_000 });
  return mails().map(({ to }) => to);
}

describe.each(BROWSERS)('the composer, %s', (_, options) => {
  it('replies to all recipients of the mail', async () => {
    const { carl, boss, dora, number } = await mailFromCarl();
    const page = await openTicket(console, number, options);
    await page.getByText(`Cc: ${boss}, ${dora}`).waitFor();
    await composer(page).fill('To all of you.');
    await send(page);
    await page.getByText('Reply added to').waitFor();

    expect(new Set(await mailedTo(number))).toEqual(new Set([carl, boss, dora]));
  });

  it('leaves out removed recipients, and adds typed ones', async () => {
    const { carl, boss, dora, number } = await mailFromCarl();
    const added = [newEmail(), newEmail()];
    const page = await openTicket(console, number, options);
    await openRecipients(page);
    await inCc(page, boss).uncheck();
    await page.getByLabel('Add to Cc').fill(`Lima, Ana <${added[0]}>; ${added[1]}`);
    await composer(page).fill('Not for the boss.');
    await send(page);
    await page.getByText('Reply added to').waitFor();
    const addressed = (await latest(number)).cc;

    expect(addressed).toEqual([dora, ...added]);
    expect(new Set(await mailedTo(number))).toEqual(new Set([carl, dora, ...added]));
    expect(await inCc(page, boss).count()).toBe(0);
    expect(await inCc(page, added[0]!).isChecked()).toBe(true);
  });

  it('names an invalid address, and keeps everything else', async () => {
    const { boss, dora, number } = await mailFromCarl();
    const page = await openTicket(console, number, options);
    await openRecipients(page);
    await inCc(page, boss).uncheck();
    await page.getByLabel('Add to Cc').fill('the accountants');
    await composer(page).fill('Hello.');
    await send(page);
    await page.getByText('“the accountants” is not an email address.').waitFor();

    expect(await page.getByLabel('Add to Cc').inputValue()).toBe('the accountants');
    expect(await composer(page).inputValue()).toBe('Hello.');
    expect([await inCc(page, boss).isChecked(), await inCc(page, dora).isChecked()]).toEqual([false, true]);
    expect((await latest(number)).agent_response).toBe(false);
  });

  it('keeps the recipients of a scheduled reply, also after undo', async () => {
    await undoSeconds(30);
    const { carl, boss, dora, number } = await mailFromCarl();
    const page = await openTicket(console, number, options);
    await openRecipients(page);
    await inCc(page, dora).uncheck();
    await composer(page).fill('Wait.');
    await send(page);
    await page.getByRole('list', { name: 'Scheduled replies' }).getByText(`Cc: ${boss}`).waitFor();
    await page.locator('#toasts').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Your draft is back.').waitFor();
    const kept = [await inCc(page, boss).isChecked(), await inCc(page, dora).isChecked()];
    await undoSeconds(0);
    await send(page);
    await page.getByText('Reply added to').waitFor();

    expect(kept).toEqual([true, false]);
    expect(new Set(await mailedTo(number))).toEqual(new Set([carl, boss]));
  });

  it('sends no email for a note', async () => {
    const { number } = await mailFromCarl();
    const page = await openTicket(console, number, options);
    await page.getByText('Note', { exact: true }).click();
    await composer(page).fill('Between us.');
    await send(page);
    await page.getByText('Note added to').waitFor();

    expect((await latest(number)).cc).toEqual([]);
    await page.getByText('Reply', { exact: true }).click();
    await recipients(page).getByText('Cc 2').waitFor();
  });
});

describe('a draft', () => {
  it('keeps removed recipients out, and adds people who join later', async () => {
    const { carl, boss, dora, number, mailId } = await mailFromCarl();
    const late = newEmail();
    const page = await openTicket(console, number);
    await composer(page).fill('Dear both');
    await openRecipients(page);
    await inCc(page, boss).uncheck();
    await eventually(async () => {
      const { rows } = await console.desk.sql.query<{ removed_cc: string[] }>('select removed_cc from drafts');
      return rows.some(({ removed_cc: removed }) => removed.includes(boss));
    });
    const headers = { From: carl, To: mailbox.email, Cc: `${boss}, ${dora}, ${late}`, 'In-Reply-To': mailId };
    await processed(console.desk, mailText(headers), { mailbox: mailbox.email });
    await page.goto(`/tickets/${number}?folder=open`);

    expect(await composer(page).inputValue()).toBe('Dear both');
    expect(await Promise.all([boss, dora, late].map((address) => inCc(page, address).isChecked()))).toEqual([
      false,
      true,
      true,
    ]);
  });
});

it('shows no recipients for a message that went to the default ones', async () => {
  const { ticket } = await processed(console.desk, mailText({ From: newEmail(), To: mailbox.email }), {
    mailbox: mailbox.email,
  });
  const page = await openTicket(console, ticket.number as number);

  expect(await page.locator('.recipients-line').count()).toBe(0);
  expect(console.browserErrors).toEqual([]);
});
