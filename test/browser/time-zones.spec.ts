// @module-tag long
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { csrfOn, seedNoah } from './support/ticket-page.js';

const console = consoleForTests();
let owner: Page;
let noah: Page;
let number: number;
beforeAll(async () => {
  const agent = await seedNoah(console.desk);
  [owner, noah] = [await console.signedIn(), await console.signedIn(agent.email, { javaScriptEnabled: false })];
  number = await ticketFromAna(console.desk);
  await console.desk.client().put(`/v1/tickets/${number}/snoozed_until`, { snoozed_until: '2036-07-01T23:30:00Z' });
  await console.desk.sql.query("update messages set created_at = '2020-01-15T22:30:00Z'");
});

async function timeOfMessage(page: Page): Promise<string[]> {
  await page.goto(`/tickets/${number}?folder=open`);
  const time = page.locator('.message header time');
  return [await time.innerText(), (await time.getAttribute('title'))!];
}

async function choose(page: Page, path: string, form: string, timeZone: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('form', { name: form, exact: true }).getByRole('combobox').selectOption(timeZone);
  await page.getByRole('form', { name: form, exact: true }).getByRole('button').click();
  await page.getByText('Saved.').waitFor();
}

describe('the displayed times', () => {
  it('use the account’s time zone, or the agent’s own', async () => {
    expect(await timeOfMessage(noah)).toEqual(['15 Jan 2020', '2020-01-15 22:30:00 UTC']);

    await choose(owner, '/settings/time', 'Time zone of the account', 'Asia/Tokyo');
    expect(await timeOfMessage(owner)).toEqual(['16 Jan 2020', '2020-01-16 07:30:00 GMT+9']);
    expect(await timeOfMessage(noah)).toEqual(['16 Jan 2020', '2020-01-16 07:30:00 GMT+9']);
    await noah.getByText('snoozed this until 08:30 on 2 Jul 2036').waitFor();

    await choose(noah, '/profile', 'Time zone', 'America/New_York');
    expect(await timeOfMessage(noah)).toEqual(['15 Jan 2020', '2020-01-15 17:30:00 GMT-5']);
    // New York is one hour ahead in July (daylight saving time).
    await noah.getByText('snoozed this until 19:30 on 1 Jul 2036').waitFor();
    expect((await timeOfMessage(owner))[1]).toBe('2020-01-16 07:30:00 GMT+9');

    await choose(noah, '/profile', 'Time zone', '');
    expect((await timeOfMessage(noah))[1]).toBe('2020-01-16 07:30:00 GMT+9');
  });

  it('use the time zone in charts and on the page of an event, and the change is recorded', async () => {
    await choose(owner, '/settings/time', 'Time zone of the account', 'Asia/Kolkata');
    const { id } = await console.desk.webhook('ticket_started', 'https://example.com/hook');
    await owner.goto(`/settings/webhooks/${id}`);
    await owner.getByText('per hour, in Asia/Kolkata').waitFor();
    const figure = owner.locator('figure').filter({ hasText: 'Last 24 hours' });
    await figure.getByText('As a table').click();
    expect(await figure.getByRole('cell').first().innerText()).toMatch(/^\d\d-\d\d \d\d:30$/);

    await owner.goto('/settings/events?kind=time_zone_changed');
    await owner.getByRole('link', { name: 'changed the time zone of the account' }).first().click();
    await owner.getByText(/\(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d GMT\+5:30\)/).waitFor();
  });

  it('reject an unknown time zone', async () => {
    const csrf = await csrfOn(owner);
    for (const path of ['/settings/time', '/profile/time-zone'])
      for (const time_zone of ['Mars/Olympus', '+01:00', "'; drop table accounts"]) {
        const answer = await owner.request.post(path, { form: { csrf, time_zone } });
        expect(answer.status()).toBe(422);
      }
    await owner.goto('/settings/time');
    expect(await owner.getByRole('combobox').inputValue()).toBe('Asia/Kolkata');
  });
});
