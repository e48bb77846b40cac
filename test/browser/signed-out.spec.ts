// @module-tag long
import { PasswordsService } from '#libs/access';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { seedAgent } from '#test/support/seed.js';

const PASSWORD = 'correct horse battery';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
  const { id, owner } = console.desk.account;
  await console.desk.api.get(PasswordsService).set(id, owner.id, PASSWORD);
});
afterAll(() => console.stop());

const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true }).click();
const endSessions = () => console.desk.sql.query('delete from sessions');

async function signInAgain(page: Page): Promise<void> {
  await page.getByLabel('Email').fill(console.desk.account.owner.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const bodiesOf = async (number: number): Promise<string[]> =>
  ((await console.desk.client().get(`/v1/tickets/${number}/messages`)).body.messages as { body: string }[])
    .slice(1)
    .map(({ body }) => body);

describe.each([
  ['with a script', { javaScriptEnabled: true }],
  ['without a script', { javaScriptEnabled: false }],
])('an agent signed out while writing, %s', (_, options) => {
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
    const page = await console.signedIn();
    await page.goto(`/tickets/${number}?folder=open`);
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
    const noah = await seedAgent(console.desk.sql, console.desk.account.id, { email: 'noah@acme.test' });
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

describe('an installation without a mail server', () => {
  it('creates a working invitation link to pass on', async () => {
    const page = await console.signedIn();
    await page.goto('/settings/agents');
    await page.getByRole('button', { name: 'Invite agent' }).click();
    await page.getByLabel('Email').fill('newbie@acme.test');
    await page.getByLabel('First name').fill('New');
    await page.getByLabel('Last name').fill('Bee');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText('Email is not set up. Send this link to newbie@acme.test.').waitFor();
    const link = (await page.locator('[data-link]').innerText()).trim();

    const joining = await console.anonymous();
    await joining.goto(new URL(link).pathname);
    await joining.getByRole('heading', { name: /Join/ }).waitFor();
    await page.goto('/settings/agents');
    await page.getByRole('button', { name: 'Create invitation link' }).click();
    await page.getByText('Send this link to newbie@acme.test').waitFor();
    expect((await page.locator('[data-link]').innerText()).trim()).not.toBe(link);
  });

  it('promises no email on any page', async () => {
    const stranger = await console.anonymous();
    await stranger.goto('/forgot-password');
    await stranger.getByText('Email is not set up here').waitFor();
    const page = await console.signedIn();
    await page.goto(`/tickets/${await ticketFromAna(console.desk)}`);
    expect(await page.getByText('Replies are not emailed').count()).toBe(1);
  });
});
