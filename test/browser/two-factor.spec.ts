// @module-tag long
import { mkdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD } from '../oauth/support/oauth-desk.js';
import { codeAt } from '#test/support/authenticator.js';
import { axeViolations, launchBrowser } from '#test/support/browser.js';
import { scan } from './support/scanner.js';

let oauth: OAuthDesk;
let browser: Browser;
beforeAll(async () => {
  [oauth, browser] = await Promise.all([OAuthDesk.start(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await oauth.stop();
});

type Theme = 'light' | 'dark';

async function openPage(scripts: boolean, colorScheme: Theme = 'light'): Promise<Page> {
  const viewport = { width: 1100, height: 800 };
  const context = await browser.newContext({ baseURL: oauth.base, javaScriptEnabled: scripts, colorScheme, viewport });
  context.setDefaultTimeout(10_000);
  return context.newPage();
}

/** Saves a screenshot if SCREENSHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

async function givePassword(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function startSetUp(page: Page): Promise<string> {
  await page.getByLabel('Your password').first().fill(PASSWORD);
  await page.getByRole('button', { name: 'Set up' }).click();
  const uri = new URL(await scan(browser, page.getByRole('img', { name: 'QR code' })));
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

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('a browser %s', (_, scripts) => {
  it('sets up two-factor sign-in by scanning the QR code, signs in with it, and turns it off', async () => {
    const { email } = await oauth.agent();
    const page = await openPage(scripts);
    await page.goto('/profile');
    await givePassword(page, email);
    await page.getByRole('link', { name: 'Set up' }).click();
    const key = await startSetUp(page);
    expect((await page.locator('[data-key]').textContent())?.replaceAll(' ', '')).toBe(key);
    await page.getByRole('textbox', { name: 'Code' }).fill('000000');
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('This is not the code that the app shows now.').first().waitFor();
    const [recoveryCode = ''] = await turnOn(page, key);
    await page.getByRole('link', { name: 'I have saved them' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();

    const phone = await openPage(scripts);
    await phone.goto('/customers');
    await givePassword(phone, email);
    await giveCode(phone, '000000');
    await phone.getByText('4 tries left').waitFor();
    await giveCode(phone, codeAt(key, oauth.desk.clock.now()));
    await phone.waitForURL('**/customers');

    const lost = await openPage(scripts);
    await lost.goto('/profile');
    await givePassword(lost, email);
    await lost.getByRole('link', { name: 'Use a recovery code' }).click();
    await giveCode(lost, recoveryCode);
    await lost.getByText('You used a recovery code.').waitFor();
    await lost.getByRole('link', { name: 'Change' }).click();
    await lost.getByLabel('Your password, or a code').last().fill(PASSWORD);
    await lost.getByRole('button', { name: 'Turn off' }).click();
    await lost.getByText('Two-factor sign-in is off.').waitFor();
    await Promise.all([page, phone, lost].map((one) => one.context().close()));
  });
});

describe.each<Theme>(['light', 'dark'])('the %s theme', (theme) => {
  it('passes axe on every two-factor page, and requests nothing that the policy forbids', async () => {
    const page = await openPage(true, theme);
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    const faults: Record<string, string[]> = {};
    const check = async (name: string) => {
      await shoot(page, `${name}-${theme}`);
      faults[name] = await axeViolations(page);
    };
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
    await page.context().close();

    expect(Object.keys(faults)).toHaveLength(9);
    expect(Object.values(faults).flat()).toEqual([]);
    expect(refused.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
  });
});
