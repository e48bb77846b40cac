import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { MailServer } from '../oauth/support/mail-server.js';
import { OAuthDesk, PASSWORD } from '../oauth/support/oauth-desk.js';
import { consoleForTests } from '#test/support/console.js';
import { eventually } from '#test/support/eventually.js';
import { ApplicationServer } from './support/application.js';
import { BROWSERS } from './support/ticket-page.js';

let mails: MailServer;
let oauth: OAuthDesk;
let site: ApplicationServer;
const console = consoleForTests(async () => {
  [mails, site] = await Promise.all([MailServer.start(), ApplicationServer.start()]);
  oauth = await OAuthDesk.start({ SMTP_URL: mails.url });
  await oauth.desk.worker();
  return oauth.desk;
});
afterAll(() => {
  mails.stop();
  site.stop();
});

describe.each(BROWSERS)('access, %s', (_, options) => {
  it('signs in an invited agent who follows the link and sets a password', async () => {
    const email = `newcomer-${options.javaScriptEnabled}@acme.test`;
    const owner = await console.signedIn(undefined, options);
    await owner.goto('/settings/agents');
    await owner.getByRole('button', { name: 'Invite agent' }).click();
    const dialog = owner.getByRole('dialog', { name: 'Invite an agent' });
    await dialog.getByLabel('Email').fill(email);
    await dialog.getByLabel('First name').fill('Priya');
    await dialog.getByLabel('Last name').fill('Raman');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    await owner.getByText(`Invitation sent to ${email}.`).waitFor();
    const line = owner.getByRole('row', { name: new RegExp(email) });
    expect(await line.getByText('invited', { exact: true }).count()).toBe(1);

    const mail = await eventually(() => mails.mails.find((text) => text.includes(`To: ${email}`)));
    const link = /http:\S+\/set-password\/[\w-]{43}/.exec(mail)![0];
    const newcomer = await console.anonymous(options);
    await newcomer.goto(link);
    await newcomer.getByLabel('New password').fill('a password of my own');
    await newcomer.getByRole('button', { name: 'Join' }).click();
    await newcomer.goto('/profile');
    expect(await newcomer.getByText(`${email}, agent of Acme`).count()).toBe(1);
    expect((await newcomer.goto(link))?.status()).toBeGreaterThanOrEqual(400);

    await owner.goto('/settings/agents');
    expect(await line.getByText('invited', { exact: true }).count()).toBe(0);
  });

  it('ends an agent’s application access when the owner revokes it', async () => {
    const { app, token, webhook, noah } = await allowApplication('Wallboard', options);
    const owner = await console.signedIn(undefined, options);
    await owner.goto('/settings/applications');
    const card = owner.getByRole('region', { name: app, exact: true });
    await card.getByText(noah.email).waitFor();
    expect(await card.getByText('read, manage its webhooks').count()).toBe(1);
    expect(await card.getByRole('link', { name: 'ticket_closed' }).count()).toBe(1);
    await card.getByRole('button', { name: 'Revoke…' }).click();
    await owner.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click();
    await owner.getByText('Access revoked.').waitFor();
    expect(await card.count()).toBe(0);
    expect(await stateAfterwards(token, webhook)).toEqual(ENDED);

    await noah.page.goto('/profile');
    expect(await noah.page.getByText('You have not given any app access').count()).toBe(1);
    await owner.goto('/settings/events?kind=application_revoked');
    expect(await owner.getByRole('row', { name: new RegExp(app) }).count()).toBe(1);
    await owner.goto(`/settings/webhooks/${webhook}`);
    await owner.getByText('The access that created it').waitFor();
    await owner.getByRole('button', { name: 'Resume' }).click();
    await owner.getByRole('alert').getByText('has ended').waitFor();
  });

  it('returns to an application that has access after the sign-in, without asking again', async () => {
    const { issued, noah } = await allowApplication('Mirror', options);
    const page = await console.anonymous(options);
    await page.goto(oauth.authorizePath({ scope: 'read', login_hint: noah.email }, issued));
    expect(await page.getByLabel('Email').inputValue()).toBe(noah.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();

    await page.getByRole('heading', { name: 'Back at the application' }).waitFor();
    expect(new URL(page.url()).searchParams.get('code')).toMatch(/^[\w-]{43}$/);
  });
});

/** The agent authorizes an application in a browser; the application registers a webhook with its token. */
async function allowApplication(name: string, options: BrowserContextOptions) {
  const app = `${name} ${options.javaScriptEnabled ? 'one' : 'two'}`;
  const issued = await oauth.application({ name: app, redirectUris: [site.callback] });
  const noah = await oauth.agent();
  const page = await console.anonymous(options);
  await page.goto(oauth.authorizePath({ scope: 'read webhooks' }, issued));
  await page.getByLabel('Email').fill(noah.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText(app).first().waitFor();
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByRole('heading', { name: 'Back at the application' }).waitFor();
  const code = new URL(page.url()).searchParams.get('code') ?? '';
  const token = (await oauth.exchange(code, {}, issued)).body.access_token as string;
  const wanted = { event: 'ticket_closed', url: 'https://example.com/in' };
  const { body } = await oauth.desk.client(token).post('/v1/webhooks', wanted);
  return { app, issued, token, webhook: body.webhook.id as string, noah: { email: noah.email, page } };
}

const ENDED = { token: 401, webhook: ['disabled', 'access_revoked'] };

async function stateAfterwards(token: string, id: string): Promise<object> {
  const { status } = await oauth.desk.client(token).get('/v1/tickets');
  const { webhook } = (await oauth.desk.client().get(`/v1/webhooks/${id}`)).body;
  return { token: status, webhook: [webhook.state, webhook.disabled_reason] };
}
