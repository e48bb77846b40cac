import type { Page } from 'playwright-core';
import type { TestConsole } from '#test/support/console.js';
import type { Desk } from '#test/support/desk.js';
import { type SeededAgent, seedAgent } from '#test/support/seed.js';

/** Forms work without a script, too. */
export const BROWSERS = [
  ['with a script', { javaScriptEnabled: true }],
  ['without a script', { javaScriptEnabled: false }],
] as const;

export const FILE = { name: 'notes.csv', mimeType: 'text/csv', buffer: Buffer.from('item,count\n') };

export const composer = (page: Page) => page.getByRole('textbox', { name: 'Message' });
export const send = (page: Page) => page.getByRole('button', { name: /^(Send|Add note)$/ }).click();

/** Opens the menu beside Send. The composer is one line until it has the focus. */
export async function openSendMenu(page: Page): Promise<void> {
  await composer(page).focus();
  await page.locator('#composer .split summary').click();
}

export async function chooseAfterSending(page: Page, after: string): Promise<void> {
  await openSendMenu(page);
  await page.getByLabel('After sending').selectOption(after);
}

export async function sendAnd(page: Page, what: 'close' | 'wait for customer'): Promise<void> {
  await openSendMenu(page);
  await page.getByRole('button', { name: `Send and ${what}` }).click();
}

export const scheduledReplies = (page: Page) => page.getByRole('list', { name: 'Scheduled replies' });
export const messageFromMaya = (page: Page) => page.getByRole('article', { name: 'Message from Maya Lind' });
export const csrfOn = (page: Page): Promise<string> => page.locator('input[name="csrf"]').first().inputValue();

interface Visit {
  readonly email?: string;
  readonly javaScriptEnabled?: boolean;
  readonly viewport?: { width: number; height: number };
}

/** Signs in, the owner by default, and opens the ticket beside the list of open ones. */
export async function openTicket(console: TestConsole, number: number, visit: Visit = {}): Promise<Page> {
  const { email, ...options } = visit;
  const page = await console.signedIn(email, options);
  await page.goto(`/tickets/${number}?folder=open`);
  return page;
}

export const ticketOf = async (desk: Desk, number: number) =>
  (await desk.client().get(`/v1/tickets/${number}`)).body.ticket;

interface SentMessage {
  readonly body: string;
  readonly note: boolean;
  readonly attachments: readonly { readonly filename: string }[];
}

/** The messages of a ticket after the first, oldest first. */
export async function sentTo(desk: Desk, number: number): Promise<SentMessage[]> {
  const { body } = await desk.client().get(`/v1/tickets/${number}/messages?per_page=50`);
  return (body.messages as SentMessage[]).slice(1);
}

/** A colleague of the owner, who is Maya Lind. */
export async function seedNoah({ sql, account }: Desk): Promise<SeededAgent> {
  const noah = await seedAgent(sql, account.id, { email: 'noah@acme.test' });
  await sql.query("update agents set first_name = 'Noah', last_name = 'Berg' where id = $1", [noah.id]);
  return noah;
}
