// @module-tag long
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';

let console: TestConsole;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.stop());

async function onNewTicket(options: { javaScriptEnabled?: boolean } = {}): Promise<{ page: Page; number: number }> {
  const { body } = await console.desk.client().post('/v1/tickets', {
    body: 'I cannot sign in since this morning.',
    from: 'ana@client.example',
    to: console.desk.account.mailbox.email,
  });
  const page = await console.signedIn(undefined, options);
  await page.goto(`/tickets/${body.ticket.number}?folder=open`);
  return { page, number: body.ticket.number as number };
}

const sentTo = async (number: number): Promise<{ body: string; note: boolean }[]> =>
  (await console.desk.client().get(`/v1/tickets/${number}/messages`)).body.messages.slice(1);

describe('the composer', () => {
  for (const javaScriptEnabled of [true, false])
    it(`sends one reply on a double click, ${javaScriptEnabled ? 'with' : 'without'} a script`, async () => {
      const { page, number } = await onNewTicket({ javaScriptEnabled });
      await page.getByRole('textbox', { name: 'Message' }).fill('Once.');
      await page.getByRole('button', { name: 'Send', exact: true }).dblclick();
      await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();

      expect(await sentTo(number)).toHaveLength(1);
    });

  it('sends one reply when the shortcut is pressed twice', async () => {
    const { page, number } = await onNewTicket();
    await page.getByRole('textbox', { name: 'Message' }).fill('Once.');
    await Promise.all([page.keyboard.press('Control+Enter'), page.keyboard.press('Control+Enter')]);
    await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();

    expect(await sentTo(number)).toHaveLength(1);
    await page.getByRole('textbox', { name: 'Message' }).fill('And again.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('And again.', { exact: true }).waitFor();
  });

  it('sends one reply when it is sent again after a lost response', async () => {
    const { page, number } = await onNewTicket();
    await page.route(
      '**/messages',
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await page.getByRole('textbox', { name: 'Message' }).fill('Once.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('The server cannot be reached').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('article', { name: 'Message from Maya Lind' }).waitFor();

    expect(await sentTo(number)).toHaveLength(1);
  });

  it('keeps the draft of a note a note, across a reload and another ticket', async () => {
    const { page, number } = await onNewTicket();
    await page.getByText('Note', { exact: true }).click();
    await page.getByRole('textbox', { name: 'Message' }).fill('They always ask.');
    await page.reload();

    await page.getByRole('radio', { name: 'Note' }).waitFor();
    expect(await page.getByRole('radio', { name: 'Note' }).isChecked()).toBe(true);
    await page.goto('/inbox');
    await page.goto(`/tickets/${number}`);
    expect(await page.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('They always ask.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('article', { name: 'Internal note from Maya Lind' }).waitFor();
    expect(await sentTo(number)).toMatchObject([{ note: true }]);
  });
});
