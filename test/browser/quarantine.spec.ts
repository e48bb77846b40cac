// @module-tag long
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestConsole, startConsole } from '#test/support/console.js';
import { eventually } from '#test/support/eventually.js';
import { mailText, processed } from '#test/support/mails.js';
import { seedAgent } from '#test/support/seed.js';

let console: TestConsole;
let colleague: string;
beforeAll(async () => {
  console = await startConsole();
  await console.desk.worker();
  colleague = (await seedAgent(console.desk.sql, console.desk.account.id)).email;
});
afterAll(() => console.stop());

const hold = async (subject: string, body: string): Promise<string> => {
  const { arrival } = await processed(console.desk, mailText({ From: colleague, Subject: subject }, body));
  expect(arrival.state).toBe('quarantined');
  return arrival.id as string;
};

const stateOf = async (id: string): Promise<string> =>
  (await console.desk.client().get(`/v1/arrivals/${id}`)).body.arrival.state;

describe.each([
  ['with a script', { javaScriptEnabled: true }],
  ['without a script', { javaScriptEnabled: false }],
])('quarantined email, %s', (_, options) => {
  it('appears in the rail with a count, as text, and is released or discarded', async () => {
    const wanted = await hold('Wanted <b>now</b>', '<img src=x onerror=alert(1)> Please let me in.');
    const offer = await hold('An offer', 'Buy this.');
    const page = await console.signedIn(undefined, options);
    await page.goto('/inbox');
    await page.getByRole('link', { name: 'Quarantine 2' }).click();
    await page.getByRole('heading', { name: 'Wanted <b>now</b>' }).waitFor();
    const mail = page.getByRole('article').filter({ hasText: 'Wanted' });
    await mail.getByText('<img src=x onerror=alert(1)> Please let me in.').waitFor();
    await mail.getByText('the address of an agent').waitFor();

    await mail.getByRole('button', { name: 'Release' }).click();
    await page.getByText('Email released.').waitFor();
    await eventually(async () => (await stateOf(wanted)) === 'processed');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByText('The quarantine is empty').waitFor();
    expect(await stateOf(offer)).toBe('discarded');
    expect(await page.getByRole('link', { name: /Quarantine/ }).count()).toBe(0);
    expect(console.browserErrors).toEqual([]);
  });
});
