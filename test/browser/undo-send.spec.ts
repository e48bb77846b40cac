// @module-tag long
import { ScheduledRepliesService } from '#libs/tickets';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import { seedAgent } from '#test/support/seed.js';

const FILE = { name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('item,count\n') };

let console: TestConsole;
let noah: string;
beforeAll(async () => {
  console = await startConsole();
  noah = (await seedAgent(console.desk.sql, console.desk.account.id, { email: 'noah@acme.test' })).email;
});
beforeEach(async () => {
  await undoSeconds(30);
  await console.desk.sql.query('delete from held_replies');
  await console.desk.sql.query('delete from drafts');
});
afterAll(() => console.stop());

const undoSeconds = (seconds: number) =>
  console.desk.sql.query('update accounts set undo_send_seconds = $1', [seconds]);

interface SentMessage {
  readonly body: string;
  readonly attachments: { filename: string }[];
}

const sentTo = async (number: number): Promise<SentMessage[]> =>
  (await console.desk.client().get(`/v1/tickets/${number}/messages?per_page=100`)).body.messages.slice(1);

const activities = async () => (await console.desk.sql.query('select from activities')).rowCount;
const stateOf = async (number: number) =>
  (await console.desk.client().get(`/v1/tickets/${number}`)).body.ticket.state as string;
const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();
const waits = (page: Page) => page.getByRole('list', { name: 'Scheduled replies' });

async function writing(number: number, text: string, options = {}): Promise<Page> {
  const page = await console.signedIn(undefined, options);
  await page.goto(`/tickets/${number}?folder=open`);
  await composer(page).fill(text);
  return page;
}

describe.each([
  ['with a script', { javaScriptEnabled: true }],
  ['without a script', { javaScriptEnabled: false }],
])('a scheduled reply, %s', (_, options) => {
  it('returns to the composer with its files on Undo', async () => {
    const number = await ticketFromAna(console.desk);
    const before = await activities();
    const page = await writing(number, 'Not so fast.', options);
    await page.getByLabel('Attach files').setInputFiles([FILE]);
    await send(page);
    await page.getByText(/will be sent in \d+ s$/).waitFor();
    await waits(page).getByText('Not so fast.').waitFor();
    expect(await composer(page).inputValue()).toBe('');
    expect(await sentTo(number)).toEqual([]);
    expect(await activities()).toBe(before);

    await page.locator('#toasts').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('not sent. Your draft is back.').waitFor();
    expect(await composer(page).inputValue()).toBe('Not so fast.');
    await page.getByRole('list', { name: 'Files of your draft' }).getByText(FILE.name).waitFor();
    expect(await waits(page).count()).toBe(0);
    console.desk.clock.advance({ minutes: 1 });
    await undoSeconds(0);
    await send(page);
    await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();
    expect(await sentTo(number)).toMatchObject([{ body: 'Not so fast.', attachments: [{ filename: FILE.name }] }]);
    expect((await console.desk.sql.query('select from draft_files')).rowCount).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });
});

describe('a scheduled reply', () => {
  it('goes out on time, closes its ticket then, and appears without a click', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await writing(number, 'Solved.');
    await page.getByLabel('Attach files').setInputFiles([FILE]);
    await page.getByRole('button', { name: 'Send and close' }).click();
    await waits(page).waitFor();
    expect(await stateOf(number)).not.toBe('closed');

    console.desk.clock.advance({ seconds: 31 });
    await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();
    await eventually(async () => (await stateOf(number)) === 'closed');
    expect(await sentTo(number)).toMatchObject([{ body: 'Solved.', attachments: [{ filename: FILE.name }] }]);
    await eventually(async () => (await waits(page).count()) === 0);
  });

  it('returns to the composer when z is pressed, from the list too', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await writing(number, 'Oops.');
    await page.getByLabel('After sending').selectOption('back');
    await send(page);
    await page.waitForURL('**/inbox?*');
    await page.locator('#toasts').getByRole('button', { name: 'Undo' }).waitFor();
    await page.keyboard.press('z');
    await page.waitForURL(`**/tickets/${number}?folder=open`);
    expect(await composer(page).inputValue()).toBe('Oops.');
    expect(await sentTo(number)).toEqual([]);
  });

  it('returns to the same list on Undo', async () => {
    const page = await writing(await ticketFromAna(console.desk), 'Oops.');
    await send(page);
    await waits(page).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Your draft is back.').waitFor();
    expect(await page.locator('#tickets a').first().getAttribute('href')).toContain('folder=open');
    expect(await page.locator('.rail [aria-current="page"]').textContent()).toContain('Open');
  });

  it('survives a crash of the process that scheduled it', async () => {
    const number = await ticketFromAna(console.desk);
    const other = await console.desk.apiProcess();
    // The other process has its own clock, so the delay is long enough for both.
    await undoSeconds(1200);
    const page = await writing(number, 'Still here.');
    await page.goto(`${other.base}/tickets/${number}`);
    await composer(page).fill('Still here.');
    await send(page);
    await waits(page).waitFor();
    await other.kill9();
    expect(await sentTo(number)).toEqual([]);
    console.desk.clock.advance({ minutes: 30 });
    await eventually(async () => (await sentTo(number)).length === 1);
  });

  it('goes out once when several processes look for it, and never if it is undone at that moment', async () => {
    const number = await ticketFromAna(console.desk);
    const held = console.desk.api.get(ScheduledRepliesService);
    const { id: accountId, owner } = console.desk.account;
    const context = { accountId, agentId: owner.id, role: 'owner', applicationId: null, requestId: null } as const;
    const wanted = { close: false, afterSending: '', seen: undefined, draft: undefined, received: [] };
    const texts = Array.from({ length: 10 }, (_, place) => `Reply ${place}.`);
    const ids: string[] = [];
    for (const body of texts) ids.push((await held.hold(context, number, { ...wanted, body }, 0)).id);
    const undone = ids.map((id) =>
      held.undo(context, number, id).then(
        () => true,
        () => false,
      ),
    );
    const [taken] = await Promise.all([Promise.all(undone), held.sendDue(), held.sendDue(), held.sendDue()]);
    await eventually(async () => (await console.desk.sql.query('select from held_replies')).rowCount === 0);

    const sent = (await sentTo(number)).map(({ body }) => body);
    expect(sent.toSorted()).toEqual(texts.filter((__, place) => !taken[place]).toSorted());
    const { rows } = await console.desk.sql.query<{ body: string }>('select body from drafts');
    const kept = rows.flatMap(({ body }) => body.split('\n\n'));
    expect(kept.toSorted()).toEqual(texts.filter((__, place) => taken[place]).toSorted());
  });

  it('blocks another agent’s reply, and names its sender', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await console.signedIn(noah);
    await page.goto(`/tickets/${number}?folder=open`);
    await composer(page).fill('From Noah.');
    const maya = await writing(number, 'From Maya.');
    await send(maya);
    await waits(maya).waitFor();
    await send(page);
    await page.getByRole('alert').getByText('Maya Lind is sending a reply.').waitFor();
    expect(await composer(page).inputValue()).toBe('From Noah.');
    await send(page);
    await waits(page).getByText('From Noah.').waitFor();
    console.desk.clock.advance({ minutes: 1 });
    await eventually(async () => (await sentTo(number)).length === 2);
  });

  it('becomes a draft when its ticket is deleted', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await writing(number, 'Too late.');
    await send(page);
    await waits(page).waitFor();
    await console.desk.client().delete(`/v1/tickets/${number}`);
    console.desk.clock.advance({ minutes: 1 });
    await eventually(async () => (await console.desk.sql.query('select from drafts')).rowCount === 1);
    expect((await console.desk.sql.query('select from held_replies')).rowCount).toBe(0);
  });

  it('reports that it was already sent when Undo comes too late', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await writing(number, 'Gone.', { javaScriptEnabled: false });
    await send(page);
    await waits(page).waitFor();
    console.desk.clock.advance({ minutes: 1 });
    await eventually(async () => (await sentTo(number)).length === 1);
    await waits(page).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The reply was already sent or undone.').waitFor();
    expect(await sentTo(number)).toHaveLength(1);
  });
});

const NOTE_DRAFT = `
  insert into drafts (account_id, id, agent_id, ticket_id, note, body, after_sending, writer, revision, updated_at)
  select h.account_id, gen_random_uuid(), h.agent_id, h.ticket_id, true, 'Do not tell her.', '', '', 1, now()
  from held_replies h join tickets t on t.id = h.ticket_id where t.number = $1`;

describe('a reply undone while its author writes a note', () => {
  it('precedes the note, which stays a note', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await writing(number, 'To the customer.', { javaScriptEnabled: false });
    await send(page);
    await waits(page).waitFor();
    await console.desk.sql.query(NOTE_DRAFT, [number]);

    await waits(page).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('added above your note').waitFor();
    expect(await composer(page).inputValue()).toBe('To the customer.\n\nDo not tell her.');
    expect((await console.desk.sql.query('select note from drafts')).rows).toEqual([{ note: true }]);
  });
});

describe('the undo period', () => {
  it('applies to the account, is set by its managers, and skips notes and API calls', async () => {
    const page = await console.signedIn();
    await page.goto('/settings/replies');
    await page.getByLabel('Delay').selectOption('5');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { rows } = await console.desk.sql.query('select undo_send_seconds as seconds from accounts');
    expect(rows).toEqual([{ seconds: 5 }]);

    const number = await ticketFromAna(console.desk);
    await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'From a program.' });
    await page.goto(`/tickets/${number}`);
    await page.getByText('Note', { exact: true }).click();
    await composer(page).fill('For us.');
    await send(page);
    await page.getByText(/^Note added to #\d+\.$/).waitFor();
    expect((await sentTo(number)).map(({ body }) => body)).toEqual(['From a program.', 'For us.']);
  });
});
