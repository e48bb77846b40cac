// @module-tag long
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../apps/launcher/src/ports.js';
import { consoleForTests } from '#test/support/console.js';
import { startDesk } from '#test/support/desk.js';
import { addMailbox } from '#test/support/desk-records.js';
import { NextHop } from '#test/support/next-hop.js';
import { mailLines, talk } from '#test/support/smtp.js';

let hop: NextHop;
let port: number;
beforeAll(async () => {
  hop = await NextHop.start();
  port = await freePort();
});
afterAll(() => hop.stop());
const console = consoleForTests(() => startDesk({ settings: { SMTP_URL: hop.url, MAIL_PORT: `${port}` } }));
beforeAll(() => console.desk.worker());

it('shows the steps of a mailbox check live without touching typed text', async () => {
  const { id, email } = await addMailbox(console.desk);
  const page = await console.signedIn();
  await page.goto(`/settings/mailboxes/${id}`);
  await page.getByRole('button', { name: 'Check this mailbox' }).click();
  await page.getByText('Mailbox check started.').waitFor();
  const signature = page.getByRole('textbox', { name: 'Signature' });
  await signature.fill('Not saved yet');
  await page.getByText('Waiting up to two minutes for it to arrive').waitFor();
  const { from, raw } = await hop.mailTo(email as string);
  await talk(port, mailLines(from, [email as string], raw));
  await page.getByText('Sending and receiving work.').waitFor();

  await page.getByText('Arrived by SMTP').waitFor();
  await page.getByRole('button', { name: 'Check again' }).waitFor();
  expect(await signature.inputValue()).toBe('Not saved yet');
  expect(console.browserErrors).toEqual([]);
});
