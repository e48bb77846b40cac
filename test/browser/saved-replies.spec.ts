// @module-tag long
import { describe, expect, it } from 'vitest';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { addSavedReply, newEmail, startTicket, ticketFromAna } from '#test/support/desk-records.js';
import { composer, openTicket, scheduledReplies, sentTo, ticketOf } from './support/ticket-page.js';

const console = consoleForTests();

const choices = (page: Awaited<ReturnType<typeof openTicket>>) => page.locator('#composer #saved-replies [data-text]');

/** No other saved reply comes before it. */
async function onlyReply(fields: object) {
  await console.desk.sql.query('delete from saved_replies');
  return addSavedReply(console.desk, { ...fields });
}

describe('the saved replies of the composer', () => {
  it('send a reply in four keys, with what the saved reply changes', async () => {
    await console.desk.sql.query('update accounts set undo_send_seconds = 0');
    const number = await ticketFromAna(console.desk);
    await onlyReply({ body: 'About {{ticket}}:\nsolved.', tags: ['solved'], state: 'closed' });
    const page = await openTicket(console, number);
    await page.locator('#ticket').press('r');
    await page.keyboard.press('/');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await page.getByText(`Reply added to #${number}.`).waitFor();

    expect(await sentTo(console.desk, number)).toMatchObject([{ body: `About #${number}:\nsolved.`, note: false }]);
    expect(await ticketOf(console.desk, number)).toMatchObject({ state: 'closed', tags: ['solved'] });
    expect(console.browserErrors).toEqual([]);
  });

  it('are found by typing, and chosen with the arrows', async () => {
    await onlyReply({ name: 'First', body: 'One.' });
    await addSavedReply(console.desk, { name: 'Refund', body: 'Two.' });
    await addSavedReply(console.desk, { name: 'Refund later', body: 'Three.' });
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).focus();
    await page.keyboard.type('Dear Ana\n/');
    await page.keyboard.type('refund');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    await expect.poll(() => composer(page).inputValue()).toBe('Dear Ana\nThree.');
    await page.keyboard.press('Control+z');
    expect(await composer(page).inputValue()).toBe('Dear Ana\n/');
  });

  it('begin a new search each time they open', async () => {
    await onlyReply({ name: 'First', body: 'One.' });
    await addSavedReply(console.desk, { name: 'Refund', body: 'Two.' });
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).focus();
    await page.keyboard.type('/refund');
    await expect.poll(() => choices(page).count()).toBe(1);
    await page.keyboard.press('Enter');
    await expect.poll(() => composer(page).inputValue()).toBe('Two.');
    await page.keyboard.type('\n/');

    await expect.poll(() => choices(page).count()).toBe(2);
    expect(await page.locator('#composer [type="search"]').inputValue()).toBe('');
  });

  it('change nothing with a note, or when their text is deleted', async () => {
    await console.desk.sql.query('update accounts set undo_send_seconds = 0');
    const number = await ticketFromAna(console.desk);
    await onlyReply({ state: 'closed' });
    const page = await openTicket(console, number);
    const box = page.getByText('Also: closes the ticket');
    await composer(page).focus();
    await page.keyboard.type('/');
    await page.keyboard.press('Enter');
    await box.waitFor();
    await page.getByText('Note', { exact: true }).click();
    await box.waitFor({ state: 'hidden' });
    await composer(page).press('Control+Enter');
    await page.getByText(`Note added to #${number}.`).waitFor();
    expect((await ticketOf(console.desk, number)).state).toBe('unread');

    await page.getByText('Reply', { exact: true }).click();
    await page.locator('#body:focus').waitFor();
    await page.keyboard.type('/');
    await page.keyboard.press('Enter');
    await box.waitFor();
    await composer(page).fill('');
    await composer(page).fill('Wait.');
    await composer(page).press('Control+Enter');
    await page.getByText(`Reply added to #${number}.`).waitFor();
    expect((await ticketOf(console.desk, number)).state).toBe('opened');
  });

  it('leave the slash when Escape closes them, and do not open within a line', async () => {
    await onlyReply({});
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).focus();
    await page.keyboard.type('and/or');
    expect(await choices(page).count()).toBe(0);
    await page.keyboard.type('\n/');
    await choices(page).first().waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.type('etc');

    expect(await composer(page).inputValue()).toBe('and/or\n/etc');
  });

  it.each(['Escape', 'Enter'])('leave the typed text when none has it and %s is pressed', async (key) => {
    await onlyReply({});
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).focus();
    await page.keyboard.type('/etc/hosts is');
    await page.getByText('No saved replies found').waitFor();
    await page.keyboard.press(key);
    await page.keyboard.type(' read-only');

    await expect.poll(() => composer(page).inputValue()).toBe('/etc/hosts is read-only');
  });

  it('change nothing after Ctrl+Z', async () => {
    await onlyReply({ state: 'closed' });
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).focus();
    await page.keyboard.type('/');
    await page.keyboard.press('Enter');
    const box = page.getByText('Also: closes the ticket');
    await box.waitFor();
    await page.keyboard.press('Control+z');

    await expect.poll(() => box.count()).toBe(0);
  });

  it('select a variable without a value, which is not sent', async () => {
    const { number } = await startTicket(console.desk, { from: newEmail(), body: 'Hello' });
    await onlyReply({ body: 'Hi {{customer}}, hello.' });
    const page = await openTicket(console, number);
    await composer(page).focus();
    await page.getByLabel('Saved replies', { exact: true }).click();
    await choices(page).first().click();
    expect(await page.evaluate('getSelection().toString()')).toBe('{{customer}}');
    await page.keyboard.press('Control+Enter');
    await page.getByText('This customer has no name. Replace {{customer}} before you send.').waitFor();
    await composer(page).fill('Hi there, hello.');
    await page.keyboard.press('Control+Enter');

    await expect
      .poll(async () => (await sentTo(console.desk, number)).map(({ body }) => body))
      .toEqual(['Hi there, hello.']);
  });

  it('change nothing in the ticket when their box is unticked, also after a reload', async () => {
    await console.desk.sql.query('update accounts set undo_send_seconds = 0');
    const number = await ticketFromAna(console.desk);
    await onlyReply({ state: 'closed' });
    const page = await openTicket(console, number);
    const box = page.getByRole('checkbox', { name: 'Also: closes the ticket' });
    await composer(page).focus();
    await page.keyboard.type('/');
    await page.keyboard.press('Enter');
    await box.waitFor();
    await expect
      .poll(async () => (await console.desk.sql.query('select from drafts where saved_reply_id is not null')).rows)
      .toHaveLength(1);
    await page.reload();
    expect(await box.isChecked()).toBe(true);
    await box.uncheck();
    await composer(page).press('Control+Enter');
    await page.getByText(`Reply added to #${number}.`).waitFor();

    expect((await ticketOf(console.desk, number)).state).toBe('opened');
  });

  it('return with the text when the reply is undone', async () => {
    await console.desk.sql.query('update accounts set undo_send_seconds = 30');
    await onlyReply({ state: 'closed' });
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).focus();
    await page.keyboard.type('/');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Control+Enter');
    await scheduledReplies(page).waitFor();
    await page.keyboard.press('z');
    await page.getByText('Sending undone. Your draft is back.').waitFor();

    expect(await composer(page).inputValue()).toBe('Thank you.');
    expect(await page.getByRole('checkbox', { name: 'Also: closes the ticket' }).isChecked()).toBe(true);
  });

  it('are chosen without a script', async () => {
    await console.desk.sql.query('update accounts set undo_send_seconds = 0');
    const number = await ticketFromAna(console.desk);
    const { name } = await onlyReply({ state: 'closed' });
    const page = await openTicket(console, number, { javaScriptEnabled: false });
    await composer(page).fill('Hi Ana,');
    await page.getByLabel('Saved replies', { exact: true }).click();
    await page.getByRole('button', { name: 'All saved replies' }).click();
    await page.getByRole('searchbox').fill('thank');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('link', { name }).click();
    expect(await composer(page).inputValue()).toBe('Hi Ana,\n\nThank you.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();

    expect((await ticketOf(console.desk, number)).state).toBe('closed');
  });

  it('have no accessibility violations, open and on their pages', async () => {
    const { id } = await onlyReply({ tags: ['a'], state: 'closed' });
    const page = await openTicket(console, await ticketFromAna(console.desk));
    await composer(page).focus();
    await page.keyboard.type('/');
    await choices(page).first().waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await page.keyboard.press('Enter');
    expect(await axeViolations(page)).toEqual([]);
    for (const path of ['/settings/saved-replies', `/settings/saved-replies/${id}`]) {
      await page.goto(path);
      expect(await axeViolations(page)).toEqual([]);
    }
  });
});
