import type { Page } from 'playwright-core';
import { send } from './ticket-page.js';

export type Outcome = 'sent' | 'held back';

/** Presses Send and returns the outcome. The response replaces the composer, so the old one is marked. */
export async function pressSend(page: Page): Promise<Outcome> {
  await page.evaluate('document.querySelector("#composer").setAttribute("data-old", "yes")');
  await send(page);
  await page.locator('#composer:not([data-old])').waitFor();
  return (await page.locator('#composer [role="alert"]').count()) > 0 ? 'held back' : 'sent';
}
