// @module-tag long
import { ScheduledRepliesService } from '#libs/tickets';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { eventually } from '#test/support/eventually.js';
import {
  BROWSERS,
  FILE,
  chooseAfterSending,
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
beforeEach(async () => {
  await undoSeconds(30);
  await console.desk.sql.query('delete from held_replies; delete from drafts');
});

const undoSeconds = (seconds: number) =>
  console.desk.sql.query('update accounts set undo_send_seconds = $1', [seconds]);

const rowsOf = async (table: string) => (await console.desk.sql.query(`select from ${table}`)).rowCount;

async function writing(number: number, text: string, options = {}): Promise<Page> {
  const page = await openTicket(console, number, options);
  await composer(page).fill(text);
  return page;
}

describe.each(BROWSERS)('a scheduled reply, %s', (_, options) => {
  it('returns to the composer with its files on Undo', async () => {
    const number = await ticketFromAna(console.desk);
    const before = await rowsOf('activities');
    const page = await writing(number, 'Not so fast.', options);
    await page.getByLabel('Attach files').setInputFiles([FILE]);
    await send(page);
    await page.getByText(/will be sent in \d+ s$/).waitFor();
    await scheduledReplies(page).getByText('Not so fast.').waitFor();
    expect(await composer(page).inputValue()).toBe('');
    expect(await sentTo(console.desk, number)).toEqual([]);
    expect(await rowsOf('activities')).toBe(before);

    await page.locator('#toasts').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Sending undone. Your draft is back.').waitFor();
    expect(await composer(page).inputValue()).toBe('Not so fast.');
    await page.getByRole('list', { name: 'Files of your draft' }).getByText(FILE.name).waitFor();
    expect(await scheduledReplies(page).count()).toBe(0);
    console.desk.clock.advance({ minutes: 1 });
    await undoSeconds(0);
    await send(page);
    await messageFromMaya(page).waitFor();
    expect(await sentTo(console.desk, number)).toMatchObject([
      { body: 'Not so fast.', attachments: [{ filename: FILE.name }] },
    ]);
    expect(await rowsOf('draft_files')).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });
});

describe('a new ticket', () => {
  it('returns to its form when z is pressed, and is created after it is sent again', async () => {
    const page = await console.signedIn();
    await page.goto('/tickets/new');
    await page.getByLabel('To', { exact: true }).fill('bo@client.example');
    await page.getByLabel('Message', { exact: true }).fill('Not so fast.');
    await page.getByRole('button', { name: 'Create ticket' }).click();
    await page.getByText(/Ticket to bo@client.example will be created in \d+ s$/).waitFor();
    await page.keyboard.press('z');
    await page.getByText('Your text is back.').waitFor();
    expect(await page.getByLabel('Message', { exact: true }).inputValue()).toBe('Not so fast.');

    await undoSeconds(0);
    await page.getByRole('button', { name: 'Create ticket' }).click();
    await page.getByText(/Ticket #\d+ created/).waitFor();
    expect(await rowsOf('held_replies')).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });
});

describe('a scheduled reply', () => {
  it('goes out on time, closes its ticket then, and appears without a click', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await writing(number, 'Solved.');
    await page.getByLabel('Attach files').setInputFiles([FILE]);
    await sendAnd(page, 'close');
    await page.getByText(/^Reply to #\d+ will be sent and the ticket closed in \d+ s$/).waitFor();
    await scheduledReplies(page).waitFor();
    expect((await ticketOf(console.desk, number)).state).not.toBe('closed');

    console.desk.clock.advance({ seconds: 31 });
    await messageFromMaya(page).waitFor();
    await eventually(async () => (await ticketOf(console.desk, number)).state === 'closed');
    expect(await sentTo(console.desk, number)).toMatchObject([
      { body: 'Solved.', attachments: [{ filename: FILE.name }] },
    ]);
    await eventually(async () => (await scheduledReplies(page).count()) === 0);
  });

  it('returns to the composer when z is pressed, from the list too', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await writing(number, 'Oops.');
    await chooseAfterSending(page, 'back');
    await send(page);
    await page.waitForURL('**/inbox?*');
    await page.locator('#toasts').getByRole('button', { name: 'Undo' }).waitFor();
    await page.keyboard.press('z');
    await page.waitForURL(`**/tickets/${number}?folder=open`);
    expect(await composer(page).inputValue()).toBe('Oops.');
    expect(await sentTo(console.desk, number)).toEqual([]);
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
    await scheduledReplies(page).waitFor();
    await other.kill9();
    expect(await sentTo(console.desk, number)).toEqual([]);
    console.desk.clock.advance({ minutes: 30 });
    await eventually(async () => (await sentTo(console.desk, number)).length === 1);
  });

  it('goes out once when several processes look for it, and never if it is undone at that moment', async () => {
    const number = await ticketFromAna(console.desk);
    const held = console.desk.api.get(ScheduledRepliesService);
    const { id: accountId, owner } = console.desk.account;
    const context = { accountId, agentId: owner.id, role: 'owner', applicationId: null, requestId: null } as const;
    const wanted = { afterSending: '', seen: undefined, draft: undefined, received: [] };
    const texts = Array.from({ length: 10 }, (_, place) => `Reply ${place}.`);
    const ids: string[] = [];
    for (const body of texts) ids.push((await held.hold(context, number, { ...wanted, body }, 0)).id);
    const undone = ids.map((id) =>
      held.undo(context, id).then(
        () => true,
        () => false,
      ),
    );
    const [taken] = await Promise.all([Promise.all(undone), held.sendDue(), held.sendDue(), held.sendDue()]);
    await eventually(async () => (await rowsOf('held_replies')) === 0);

    const sent = (await sentTo(console.desk, number)).map(({ body }) => body);
    expect(sent.toSorted()).toEqual(texts.filter((__, place) => !taken[place]).toSorted());
    const { rows } = await console.desk.sql.query<{ body: string }>('select body from drafts');
    const kept = rows.flatMap(({ body }) => body.split('\n\n'));
    expect(kept.toSorted()).toEqual(texts.filter((__, place) => taken[place]).toSorted());
  });

  it('becomes a draft when its ticket is deleted', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await writing(number, 'Too late.');
    await send(page);
    await scheduledReplies(page).waitFor();
    await console.desk.client().delete(`/v1/tickets/${number}`);
    console.desk.clock.advance({ minutes: 1 });
    await eventually(async () => (await rowsOf('drafts')) === 1);
    expect(await rowsOf('held_replies')).toBe(0);
  });

  it('reports that it was already sent when Undo comes too late', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await writing(number, 'Gone.', { javaScriptEnabled: false });
    await send(page);
    await scheduledReplies(page).waitFor();
    console.desk.clock.advance({ minutes: 1 });
    await eventually(async () => (await sentTo(console.desk, number)).length === 1);
    await scheduledReplies(page).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The message was already sent or undone.').waitFor();
    expect(await sentTo(console.desk, number)).toHaveLength(1);
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
    await scheduledReplies(page).waitFor();
    await console.desk.sql.query(NOTE_DRAFT, [number]);

    await scheduledReplies(page).getByRole('button', { name: 'Undo' }).click();
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
    await page.getByRole('button', { name: 'Save', exact: true }).click();
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
    expect((await sentTo(console.desk, number)).map(({ body }) => body)).toEqual(['From a program.', 'For us.']);
  });
});
