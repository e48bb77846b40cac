import type { Page } from 'playwright-core';

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
