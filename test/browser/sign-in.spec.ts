// @module-tag long
import { SingleUseLinksService } from '#libs/access';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OAuthDesk, PASSWORD, type TestApplication } from '../oauth/support/oauth-desk.js';
import { axeViolations } from '#test/support/browser.js';
import { consoleForTests } from '#test/support/console.js';
import { seedAccount } from '#test/support/seed.js';
import { ApplicationServer } from './support/application.js';
import { BROWSERS } from './support/ticket-page.js';

let oauth: OAuthDesk;
let server: ApplicationServer;
let app: TestApplication;
const console = consoleForTests(async () => (oauth = await OAuthDesk.start({ SMTP_URL: 'smtp://127.0.0.1:9' })).desk);
beforeAll(async () => {
  server = await ApplicationServer.start();
  app = await oauth.application({ redirectUris: [server.callback] });
});
afterAll(() => server.stop());

async function signIn(page: Page, email = oauth.desk.account.owner.email, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe.each(BROWSERS)('a browser %s', (_, options) => {
  it('signs a person in, asks for consent, and returns to the application with a code', async () => {
    const page = await console.anonymous(options);
    await page.goto(oauth.authorizePath({ state: 'abc', prompt: 'consent' }, app));
    await signIn(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back at the application' }).waitFor();
    const query = new URL(page.url()).searchParams;

    expect(query.get('state')).toBe('abc');
    expect((await oauth.exchange(query.get('code') ?? '', {}, app)).status).toBe(200);
  });

  it('changes the account on the consent page', async () => {
    const { email } = await oauth.agent();
    const page = await console.anonymous(options);
    await page.goto(oauth.authorizePath({ prompt: 'consent' }, app));
    await signIn(page);
    await page.getByRole('button', { name: 'Not you?' }).click();
    await signIn(page, email);
    await page.getByText(`Signed in as ${email}`).waitFor();

    expect(await page.getByRole('button', { name: 'Allow' }).isVisible()).toBe(true);
  });
});

describe('an application that redirects from its callback', () => {
  it('may redirect to another of its sites under the policy of the consent page', async () => {
    const further = await ApplicationServer.start();
    const relay = await ApplicationServer.start(further.base);
    const relayed = await oauth.application({ name: 'Relay', redirectUris: [relay.callback] });
    const page = await console.anonymous();
    await page.goto(oauth.authorizePath({}, relayed));
    await signIn(page);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByRole('heading', { name: 'Back at the application' }).waitFor({ timeout: 5000 });

    expect(page.url().startsWith(further.base)).toBe(true);
    relay.stop();
    further.stop();
  });
});

describe.each(['light', 'dark'] as const)('the %s theme', (colorScheme) => {
  it('passes axe on every page, and requests nothing that the policy forbids', async () => {
    const page = await console.anonymous({ colorScheme, viewport: { width: 1100, height: 800 } });
    const faults: Record<string, string[]> = {};
    const check = async (name: string) => void (faults[name] = await axeViolations(page));
    const agent = await oauth.agent();
    const globex = await seedAccount(oauth.desk.sql, { name: `Globex ${colorScheme}` });
    await oauth.agent(globex.id, agent.email);
    const link = await oauth.desk.api.get(SingleUseLinksService).issue(globex.id, globex.owner.id);

    await page.goto('/sign-in');
    await check('sign-in');
    await signIn(page, agent.email, 'wrong');
    await check('sign-in-wrong');
    await page.goto('/forgot-password');
    await check('forgot-password');
    await page.getByLabel('Email').fill('nobody@acme.test');
    await page.getByRole('button', { name: 'Send link' }).click();
    await check('link-sent');
    await page.goto(link?.path ?? '');
    await check('set-password');
    await page.goto('/set-password/unknown');
    await check('link-spent');
    await page.goto('/oauth/authorize?client_id=unknown');
    await check('authorize-error');
    await page.goto(oauth.authorizePath({}, app));
    await signIn(page, agent.email);
    await check('choose-account');
    await page.getByRole('button', { name: `Globex ${colorScheme}` }).click();
    await check('consent');

    expect(Object.keys(faults)).toHaveLength(9);
    expect(Object.values(faults).flat()).toEqual([]);
    expect(console.browserErrors).toEqual([]);
  });
});
