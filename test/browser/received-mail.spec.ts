// @module-tag long
import { beforeAll, describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { newEmail, ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, newMailId, processed } from '#test/support/mails.js';
import { seedNoah, BROWSERS } from './support/ticket-page.js';

const console = consoleForTests();
let colleague: string;
beforeAll(async () => {
  await console.desk.worker();
  colleague = (await seedNoah(console.desk)).email;
});

const hold = async (subject: string, body: string): Promise<string> => {
  const { arrival } = await processed(console.desk, mailText({ From: colleague, Subject: subject }, body));
  expect(arrival.state).toBe('quarantined');
  return arrival.id as string;
};

const stateOf = async (id: string): Promise<string> =>
  (await console.desk.client().get(`/v1/arrivals/${id}`)).body.arrival.state;

describe.each(BROWSERS)('quarantined email, %s', (_, options) => {
  it('appears in the rail with a count, as text, and is released or discarded', async () => {
    const wanted = await hold('Wanted <b>now</b>', '<img src=x onerror=alert(1)> Please let me in.');
    const offer = await hold('An offer', 'Buy this.');
    const page = await console.signedIn(undefined, options);
    await page.goto('/inbox');
    await page.getByRole('link', { name: 'Quarantine 2' }).click();
    await page.getByRole('heading', { name: 'Wanted <b>now</b>' }).waitFor();
    const mail = page.getByRole('article').filter({ hasText: 'Wanted' });
    await mail.getByText('<img src=x onerror=alert(1)> Please let me in.').waitFor();
    await mail.getByText('the address of an agent').waitFor();

    await mail.getByRole('button', { name: 'Release' }).click();
    await page.getByText('Email released.').waitFor();
    await eventually(async () => (await stateOf(wanted)) === 'processed');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('The quarantine is empty').waitFor();
    expect(await stateOf(offer)).toBe('discarded');
    expect(await page.getByRole('link', { name: /Quarantine/ }).count()).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });
});

const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const HEADER = 'On 3 March 2025 at 10:11, Maya &lt;support@desk.test&gt; wrote:';

it('hides the quoted text of an email until the reader expands it, and shows its images in place', async () => {
  const text = 'It works!\n\nOn 3 March 2025 at 10:11, Maya <support@desk.test> wrote:\n> Turn it off.\n> Maya';
  const html = [
    '--edge',
    'Content-Type: text/html',
    '',
    `<p>See <img alt="The display" src="cid:a@b.test"></p><p>${HEADER}</p><blockquote>Send a picture.</blockquote>`,
    '--edge',
    'Content-Type: image/gif; name=display.gif',
    'Content-ID: <a@b.test>',
    'Content-Transfer-Encoding: base64',
    '',
    PIXEL,
    '--edge--',
  ].join('\r\n');
  const first = await processed(console.desk, mailText({ 'Message-ID': '<folded@client.test>' }, text));
  const related = { 'In-Reply-To': '<folded@client.test>', 'Content-Type': 'multipart/related; boundary=edge' };
  await processed(console.desk, mailText(related, html));
  const page = await console.signedIn();
  await page.goto(`/tickets/${first.ticket.number}`);

  for (const [said, quoted] of [
    ['It works!', 'Turn it off.'],
    ['See', 'Send a picture.'],
  ] as const) {
    const message = page.locator('li.message').filter({ hasText: said });
    expect(await message.getByText(quoted).isVisible()).toBe(false);
    await message.getByText('Quoted text').click();
    await message.getByText(quoted).waitFor();
  }
  const picture = page.getByRole('img', { name: 'The display' });
  await picture.scrollIntoViewIfNeeded();
  await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.body img')?.naturalWidth === 1);
  expect(await axeViolations(page)).toEqual([]);
  expect(console.browserErrors).toEqual([]);
});

describe('the composer', () => {
  it('warns when the last author is not the customer', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await console.signedIn();
    await page.goto(`/tickets/${number}`);
    const warning = page.locator('#recipient-warning');
    const write = (author: string) =>
      console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'Me again.', author });
    expect(await warning.textContent()).toBe('');

    await page.getByRole('textbox', { name: 'Message' }).fill('Half an ans');
    const other = newEmail('other');
    await write(other);
    await warning.getByText(`${other} wrote last, but your reply goes to ana@client.example.`).waitFor();
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('Half an ans');
    await write('ana@client.example');
    await warning.getByText('wrote last').waitFor({ state: 'detached' });
    expect(console.browserErrors).toEqual([]);
  });
});

describe('a ticket that an email opened instead of joining another', () => {
  it('links to the other ticket', async () => {
    const id = newMailId();
    const { ticket } = await processed(console.desk, mailText({ From: newEmail(), 'Message-ID': id }));
    const beside = await processed(console.desk, mailText({ From: newEmail(), 'In-Reply-To': id }));
    const page = await console.signedIn();
    await page.goto(`/tickets/${beside.ticket.number}`);
    await page.getByText('An email opened this because its sender is not part of ticket').waitFor();
    await page.getByRole('link', { name: `#${ticket.number}`, exact: true }).click();
    await page.waitForURL(`**/tickets/${ticket.number}?folder=unassigned`);

    expect(console.browserErrors).toEqual([]);
  });
});
