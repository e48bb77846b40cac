// @module-tag long
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD } from '../oauth/support/oauth-desk.js';
import { codeAt } from '#test/support/authenticator.js';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { scan } from './support/scanner.js';
import { BROWSERS } from './support/ticket-page.js';

let oauth: OAuthDesk;
const console = consoleForTests(async () => (oauth = await OAuthDesk.start()).desk);

async function givePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function startSetUp(page: Page): Promise<string> {
  await page.getByLabel('Your password').first().fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up' }).click();
  const uri = new URL(await scan(console.browser, page.getByRole('img', { name: 'QR code' })));
  return uri.searchParams.get('secret') ?? '';
}

async function turnOn(page: Page, key: string): Promise<string[]> {
  await page.getByRole('textbox', { name: 'Code' }).fill(codeAt(key, oauth.desk.clock.now()));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor();
  oauth.desk.clock.advance({ seconds: 31 });
  return page.locator('.recovery-codes code').allTextContents();
}

async function giveCode(page: Page, code: string): Promise<void> {
  await page.getByRole('textbox').fill(code);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.each(BROWSERS)('a browser %s', (_, options) => {
  it('sets up two-factor sign-in by scanning the QR code, signs in with it, and turns it off', async () => {
    const { email } = await oauth.agent();
    const page = await console.anonymous(options);
    await page.goto('/profile');
    await givePassword(page, email);
    await page.getByRole('link', { name: 'Set up' }).click();
    const key = await startSetUp(page);
    expect((await page.locator('[data-key]').textContent())?.replaceAll(' ', '')).toBe(key);
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('That code isn’t right.').first().waitFor();
    const [recoveryCode = ''] = await turnOn(page, key);
    await page.getByRole('link', { name: 'I have saved them' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();

    const phone = await console.anonymous(options);
    await phone.goto('/customers');
    await givePassword(phone, email);
    await giveCode(phone, '000000');
    await phone.getByText('4 tries left').waitFor();
    await giveCode(phone, codeAt(key, oauth.desk.clock.now()));
    await phone.waitForURL('**/customers');

    const lost = await console.anonymous(options);
    await lost.goto('/profile');
    await givePassword(lost, email);
    await lost.getByRole('link', { name: 'Use a recovery code' }).click();
    await giveCode(lost, recoveryCode);
    await lost.getByText('You used a recovery code.').waitFor();
    await lost.getByRole('link', { name: 'Change' }).click();
    await lost.getByLabel('Your password, or a code').last().fill(PASSWORD);
    await lost.getByRole('button', { name: 'Turn off' }).click();
    await lost.getByText('Two-factor sign-in is off.').waitFor();
  });
});

describe.each(['light', 'dark'] as const)('the %s theme', (colorScheme) => {
  it('passes axe on every two-factor page, and requests nothing that the policy forbids', async () => {
    const page = await console.anonymous({ colorScheme, viewport: { width: 1100, height: 800 } });
    const faults: Record<string, string[]> = {};
    const check = async (name: string) => void (faults[name] = await axeViolations(page));
    const { email } = await oauth.agent();
    await page.goto('/profile/two-factor');
    await givePassword(page, email);
    await check('two-factor-off');
    const key = await startSetUp(page);
    await check('two-factor-set-up');
    await turnOn(page, key);
    await check('recovery-codes');
    await page.goto('/profile/two-factor');
    await check('two-factor-on');
    await page.goto('/profile');
    await check('profile');
    await page.getByRole('button', { name: 'Sign out' }).last().click();
    await page.goto('/inbox');
    await givePassword(page, email);
    await page.getByRole('textbox', { name: 'Code' }).waitFor();
    await check('code');
    await giveCode(page, '000000');
    await page.getByText('4 tries left').waitFor();
    await check('code-wrong');
    await page.getByRole('link', { name: 'Use a recovery code' }).click();
    await page.getByRole('textbox', { name: 'Recovery code' }).waitFor();
    await check('recovery-code');
    for (let n = 0; n < 4; n++) await giveCode(page, 'wrong');
    await page.getByRole('heading', { name: 'Sign in again' }).waitFor();
    await check('sign-in-again');

    expect(Object.keys(faults)).toHaveLength(9);
    expect(Object.values(faults).flat()).toEqual([]);
    expect(console.browserErrors).toEqual([]);
  });
});
