import type { Desk } from '../desk.js';
import { TWIN } from '../product.js';

/** A forgotten password, and the person who has two accounts. */
export async function passwords(desk: Desk): Promise<void> {
  const browser = desk.browser('forgetful');
  await browser.get('/forgot-password');
  await browser.ask('HEAD /forgot-password');
  await browser.post('/forgot-password', { csrf: '', email: 'admin@example.com' });
  await browser.post('/forgot-password', { email: 'admin@example.com' });
  await browser.post('/forgot-password', { email: 'nobody@example.com' });
  await browser.post('/forgot-password', {});
  const link = await desk.mail.linkTo('admin@example.com', 2);
  await browser.get(link);
  await browser.post(link, { password: 'password' });
  await browser.post(link, { password: 'wire-password-3' });
  await browser.get('/inbox');
  await browser.get(link, { about: 'spent' });
  await browser.get('/forgot-password');
  for (let tries = 0; tries < 6; tries += 1) await browser.post('/forgot-password', { email: 'often@example.com' });
  await twoAccounts(desk);
}

async function twoAccounts(desk: Desk): Promise<void> {
  const browser = desk.browser('of two accounts');
  await browser.get('/customers?q=x');
  await browser.get('/sign-in');
  const choice = await browser.post('/sign-in', { email: TWIN.email, password: TWIN.password });
  await browser.post('/sign-in/account', { csrf: '', agent: 'x' });
  const twin = new RegExp(`value="([^"]+)"[^>]*>${TWIN.account}<`).exec(choice.text)?.[1];
  if (!twin) throw new Error('There is no second account; see --help.');
  await browser.post('/sign-in/account', { agent: twin });
  const { known } = desk;
  const foreign = [
    '/inbox',
    '/tickets/1',
    '/customers',
    '/customers/jonas@client.example',
    `/messages/${known['message']}`,
    `/attachments/${known['attachment']}`,
    `/settings/webhooks/${known['ticket_started']}`,
    `/settings/deliveries/${known['delivery of fail']}`,
    '/settings/webhooks',
    '/settings/events',
    '/settings/agents',
    '/settings/groups',
    '/settings/mailboxes',
    '/settings/applications',
    '/settings/system',
    '/profile',
  ];
  for (const path of foreign) await browser.get(path);
  await browser.post(`/settings/webhooks/${known['ticket_started']}/delete`);
  await browser.post('/tickets/1/state', { state: 'closed' });
}
