// @module-tag long
import { beforeEach, describe, expect, it } from 'vitest';
import { consoleForTests } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';
import { BROWSERS, openTicket, ticketOf } from './support/ticket-page.js';

const console = consoleForTests();
beforeEach(() => console.desk.sql.query('update tickets set snoozed_until = null'));

const snoozedUntil = async (number: number): Promise<string | null> =>
  (await ticketOf(console.desk, number)).snoozed_until;

describe.each(BROWSERS)('a ticket, %s', (_, options) => {
  it('moves to Snoozed, where it is counted and listed and can be woken', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number, options);
    await page.locator('.ticket-tools summary', { hasText: 'Snooze' }).click();
    await page.getByRole('button', { name: 'Until tomorrow, 09:00' }).click();
    await page.getByText(new RegExp(`^#${number} snoozed until 09:00 on `)).waitFor();
    expect(await snoozedUntil(number)).toMatch(/T09:00:00/);

    await page.getByRole('link', { name: 'Snoozed 1' }).click();
    await page.waitForURL('**/inbox?folder=snoozed');
    await page.locator(`#row-${number}`).getByText('back in').waitFor();
    await page.locator(`#row-${number} a`).click();
    await page.getByRole('button', { name: 'Wake' }).click();
    await page.getByText(`#${number} no longer snoozed.`).waitFor();
    expect(await snoozedUntil(number)).toBeNull();
    expect(await page.locator('[data-folder="snoozed"] .count').count()).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });

  it('accepts a chosen time to snooze until, and rejects one in the past', async () => {
    const number = await ticketFromAna(console.desk);
    const page = await openTicket(console, number, options);
    const snoozeUntil = async (time: string): Promise<void> => {
      await page.locator('.ticket-tools summary', { hasText: 'Snooze' }).click();
      await page.getByLabel('Until', { exact: true }).fill(time);
      await page.getByRole('form', { name: 'Snooze until a time' }).getByRole('button').click();
    };
    await snoozeUntil('2001-01-01T10:30');
    await page.getByText('snoozed_until must be in the future').waitFor();
    expect(await snoozedUntil(number)).toBeNull();

    if (!options.javaScriptEnabled) await page.goBack();
    await snoozeUntil('2050-05-01T10:30');
    await page.getByText(`#${number} snoozed until 10:30 on 1 May 2050.`).waitFor();
    expect(await snoozedUntil(number)).toMatch(/^2050-05-01T10:30:00/);
  });
});
