// @module-tag long
import { PasswordsService } from '#libs/access';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { BROWSERS, composer, openTicket, seedNoah, send, sentTo } from './support/ticket-page.js';

const PASSWORD = 'correct horse battery';

const console = consoleForTests();
beforeAll(async () => {
  const { id, owner } = console.desk.account;
  await console.desk.api.get(PasswordsService).set(id, owner.id, PASSWORD);
});

const endSessions = () => console.desk.sql.query('delete from sessions');

async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(console.desk.account.owner.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const bodiesOf = async (number: number) => (await sentTo(console.desk, number)).map(({ body }) => body);

describe.each(BROWSERS)('an agent signed out while writing, %s', (_, options) => {
  it('returns to the ticket with the text after signing in, and sends it with a second press', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await console.signedIn(undefined, options);
    // Blocks live updates, which would report the end of the session early.
    await page.route('**/live?*', (route) => route.abort());
    await page.goto(`/tickets/${number}?folder=open&q=Hello`);
    await endSessions();
    await page.getByText('Note', { exact: true }).click();
    await composer(page).fill('Almost an answer.');
    await send(page);
    await page.getByText('Your draft is saved but not sent.').waitFor();
    expect(await bodiesOf(number)).toEqual([]);

    await page.getByLabel('Email').fill(console.desk.account.owner.email);
    await page.getByLabel('Password').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Your draft is saved but not sent.').waitFor();
    await signInAgain(page);
    await page.waitForURL(`**/tickets/${number}?*q=Hello*`);
    expect(await composer(page).inputValue()).toBe('Almost an answer.');
    expect(await page.getByRole('radio', { name: 'Note' }).isChecked()).toBe(true);

    await send(page);
    await page.getByText(/^Note added to #\d+\.$/).waitFor();
    expect(await bodiesOf(number)).toEqual(['Almost an answer.']);
    expect((await console.desk.sql.query('select from drafts')).rowCount).toBe(0);
  });
});

describe('text written without a session', () => {
  it('stays when a live update ends the session before a press', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number);
    await composer(page).fill('Half of an ans');
    await endSessions();
    await console.desk.client().post(`/v1/tickets/${number}/messages`, { body: 'A change, of which the page hears.' });
    await page.getByText('Your draft is saved but not sent.').waitFor();
    await signInAgain(page);
    await page.waitForURL(`**/tickets/${number}?*`);
    expect(await composer(page).inputValue()).toBe('Half of an ans');
    await console.desk.sql.query('delete from drafts');
  });

  it('stays only for the agent of the page, on its ticket, while that agent has access', async () => {
    const [number, other] = [await ticketFromAna(console.desk), await ticketFromAna(console.desk)];
    const noah = await seedNoah(console.desk);
    const page = await console.signedIn(noah.email, { javaScriptEnabled: false });
    await page.goto(`/tickets/${number}`);
    const permit = await page.locator('[name="permit"]').inputValue();
    await endSessions();
    const keep = async (ticket: number, shown: string) => {
      const form = new URLSearchParams({ body: 'Planted.', permit: shown, quiet: 'yes' });
      const answer = await fetch(`${console.desk.base}/tickets/${ticket}/draft`, {
        method: 'POST',
        body: form,
        redirect: 'manual',
      });
      return answer.headers.get('location');
    };
    expect(await keep(other, permit)).toBe('/sign-in?unsent=lost');
    expect(
      await keep(
        number,
        permit.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')),
      ),
    ).toBe('/sign-in?unsent=lost');
    expect(await keep(number, permit)).toBe('/sign-in?unsent=kept');
    expect((await console.desk.sql.query('select agent_id from drafts')).rows).toEqual([{ agent_id: noah.id }]);

    await console.desk.client().post(`/v1/agents/${noah.email}/archive`, {});
    expect(await keep(number, permit)).toBe('/sign-in?unsent=lost');
    expect((await console.desk.sql.query('select from drafts')).rowCount).toBe(0);
  });

  it('returns to the page of any other form, and reports that nothing was done', async () => {
    const page = await console.signedIn();
    await page.goto('/profile');
    await endSessions();
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('your last change was not saved.').waitFor();
    await signInAgain(page);
    await page.waitForURL('**/profile');
    expect(await page.getByRole('button', { name: 'Save name' }).count()).toBe(1);
  });
});
