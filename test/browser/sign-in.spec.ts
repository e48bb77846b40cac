// @module-tag long
import { mkdirSync } from 'node:fs';
import { SingleUseLinksService } from '#libs/access';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD, type TestApplication } from '../oauth/support/oauth-desk.js';
import { axeViolations, launchBrowser } from '#test/support/browser.js';
import { seedAccount } from '#test/support/seed.js';
import { ApplicationServer } from './support/application.js';

let oauth: OAuthDesk;
let browser: Browser;
let server: ApplicationServer;
let app: TestApplication;
beforeAll(async () => {
  [oauth, browser, server] = await Promise.all([
    OAuthDesk.start({ SMTP_URL: 'smtp://127.0.0.1:9' }),
    launchBrowser(),
    ApplicationServer.start(),
  ]);
  app = await oauth.application({ redirectUris: [server.callback] });
});
afterAll(async () => {
  await browser.close();
  server.stop();
  await oauth.stop();
});

type Theme = 'light' | 'dark';

function openContext(theme: Theme = 'light', scripts = true): Promise<BrowserContext> {
  return browser.newContext({ colorScheme: theme, javaScriptEnabled: scripts, viewport: { width: 1100, height: 800 } });
}

const authorize = (extra: Record<string, string> = {}, of = app) => `${oauth.base}${oauth.authorizePath(extra, of)}`;

async function signIn(page: Page, email = oauth.desk.account.owner.email, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Saves a screenshot if SCREENSHOTS names a folder. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('a browser %s', (_, scripts) => {
  it('signs a person in, asks for consent, and returns to the application with a code', async () => {
    const context = await openContext('light', scripts);
    const page = await context.newPage();
    await page.goto(authorize({ state: 'abc' }));
    await signIn(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back at the application' }).waitFor();
    const query = new URL(page.url()).searchParams;
    await context.close();

    expect(query.get('state')).toBe('abc');
    expect((await oauth.exchange(query.get('code') ?? '', {}, app)).status).toBe(200);
  });

  it('returns an error to the application when the person denies access', async () => {
    const context = await openContext('light', scripts);
    const page = await context.newPage();
    await page.goto(authorize());
    await signIn(page);
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('heading', { name: 'Back at the application' }).waitFor();
    const query = new URL(page.url()).searchParams;
    await context.close();

    expect(query.get('error')).toBe('access_denied');
  });

  it('changes the account on the consent page', async () => {
    const { email } = await oauth.agent();
    const context = await openContext('light', scripts);
    const page = await context.newPage();
    await page.goto(authorize());
    await signIn(page);
    await page.getByRole('button', { name: 'Not you?' }).click();
    await signIn(page, email);
    await page.getByText(`Signed in as ${email}`).waitFor();

    expect(await page.getByRole('button', { name: 'Allow' }).isVisible()).toBe(true);
    await context.close();
  });

  it('joins an invited agent through the link', async () => {
    const agent = await oauth.agent();
    await oauth.desk.sql.query("update agents set state = 'invited', password_hash = null where id = $1", [agent.id]);
    const link = await oauth.desk.api.get(SingleUseLinksService).issue(oauth.desk.account.id, agent.id);
    const context = await openContext('light', scripts);
    const page = await context.newPage();
    await page.goto(`${oauth.base}${link?.path ?? ''}`);
    await page.getByLabel('New password').fill('a password of my own');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.goto(authorize());

    expect(await page.getByText(`Signed in as ${agent.email}`).isVisible()).toBe(true);
    await context.close();
  });
});

describe('an application that redirects from its callback', () => {
  it('may redirect to another of its sites under the policy of the consent page', async () => {
    const further = await ApplicationServer.start();
    const relay = await ApplicationServer.start(further.base);
    const relayed = await oauth.application({ name: 'Relay', redirectUris: [relay.callback] });
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(authorize({}, relayed));
    await signIn(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back at the application' }).waitFor({ timeout: 5000 });

    expect(page.url().startsWith(further.base)).toBe(true);
    await context.close();
    relay.stop();
    further.stop();
  });
});

describe.each<Theme>(['light', 'dark'])('the %s theme', (theme) => {
  it('passes axe on every page, and requests nothing that the policy forbids', async () => {
    const context = await openContext(theme);
    const page = await context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    const faults: Record<string, string[]> = {};
    const check = async (name: string) => {
      await shoot(page, `${name}-${theme}`);
      faults[name] = await axeViolations(page);
    };
    const agent = await oauth.agent();
    const globex = await seedAccount(oauth.desk.sql, { name: `Globex ${theme}` });
    await oauth.agent(globex.id, agent.email);
    const link = await oauth.desk.api.get(SingleUseLinksService).issue(globex.id, globex.owner.id);

    await page.goto(`${oauth.base}/sign-in`);
    await check('sign-in');
    await signIn(page, agent.email, 'wrong');
    await check('sign-in-wrong');
    await page.goto(`${oauth.base}/forgot-password`);
    await check('forgot-password');
    await page.getByLabel('Email').fill('nobody@acme.test');
    await page.getByRole('button', { name: 'Send link' }).click();
    await check('link-sent');
    await page.goto(`${oauth.base}${link?.path ?? ''}`);
    await check('set-password');
    await page.goto(`${oauth.base}/set-password/unknown`);
    await check('link-spent');
    await page.goto(`${oauth.base}/oauth/authorize?client_id=unknown`);
    await check('authorize-error');
    await page.goto(authorize());
    await signIn(page, agent.email);
    await check('choose-account');
    await page.getByRole('button', { name: `Globex ${theme}` }).click();
    await check('consent');
    await context.close();

    expect(Object.keys(faults)).toHaveLength(9);
    expect(Object.values(faults).flat()).toEqual([]);
    expect(refused.filter((text) => !/status of 4\d\d/.test(text))).toEqual([]);
  });
});
