import type { Page } from 'playwright-core';
import type { TestConsole } from '#test/support/console.js';
import { ticketFromAna } from '#test/support/desk-records.js';

/** Oldest first, so the last one is the first row. */
export async function ticketsOf({ desk }: TestConsole, count: number): Promise<number[]> {
  const numbers: number[] = [];
  while (numbers.length < count) numbers.push(await ticketFromAna(desk));
  return numbers;
}

export async function openListOf(console: TestConsole, folder = 'open'): Promise<Page> {
  const page = await console.signedIn();
  await page.goto(`/inbox?folder=${folder}`);
  return page;
}

/** A ticket opened from a list without one loads the page. */
export async function openBeside(page: Page, number: number): Promise<void> {
  await page.locator(`#row-${number} a`).click();
  await page.waitForURL(`**/tickets/${number}?**`);
  await page.locator(`#row-${number} a`).focus();
}

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

export const focusedRow = (page: Page): Promise<string | undefined> =>
  page.evaluate("document.activeElement.closest('.ticket-row')?.id");
export const closed = (page: Page, number: number) => page.getByText(`#${number} closed.`).waitFor();
