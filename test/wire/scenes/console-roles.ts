import type { Desk } from '../desk.js';
import { TWIN } from '../product.js';

/** Every page and every button, as somebody who may not use all of them. */
export async function roles(desk: Desk): Promise<void> {
  const { known } = desk;
  const webhook = `/settings/webhooks/${known['ticket_started']}`;
  const pages = [
    '/',
    '/inbox',
    '/inbox?folder=mine',
    '/tickets/1',
    '/tickets/new',
    '/customers',
    '/customers/new',
    '/customers/jonas@client.example',
    `/messages/${known['message']}`,
    '/settings/agents',
    '/settings/groups',
    '/settings/mailboxes',
    '/settings/webhooks',
    '/settings/webhooks/new',
    '/settings/webhooks/created',
    webhook,
    `/settings/deliveries/${known['delivery of fail']}`,
    '/settings/applications',
    '/settings/events',
    `/settings/events/${known['message']}`,
    '/settings/system',
    '/profile',
    '/sign-in',
    '/docs',
  ];
  const posts = [
    '/settings/agents',
    `/settings/agents/${known['admin']}/role`,
    `/settings/agents/${known['admin']}/archive`,
    `/settings/agents/${known['admin']}/invite`,
    '/settings/agents/leaving@example.com/restore',
    '/settings/groups',
    `/settings/groups/${known['refunds']}`,
    '/settings/groups/nothing/delete',
    '/settings/mailboxes',
    `/settings/mailboxes/${known['billing']}`,
    '/settings/mailboxes/nothing/delete',
    '/settings/webhooks',
    webhook,
    `${webhook}/state`,
    `${webhook}/test`,
    `${webhook}/secret`,
    `${webhook}/rotate`,
    `${webhook}/replay`,
    `${webhook}/replays/${known['replay']}/cancel`,
    `/settings/deliveries/${known['delivery of ticket_started']}/redeliver`,
    '/settings/applications/nothing/revoke',
  ];
  const plain = desk.browser('plain');
  await plain.signIn(TWIN.email, TWIN.password, 'Demonstration');
  for (const path of pages) await plain.get(path);
  for (const path of posts) await plain.post(path, { role: 'agent', name: 'x' });
  await plain.post('/tickets/1/assign', { assignee: TWIN.email, assigned_group: 'Refunds' });
  await plain.post('/tickets/1/messages', { body: 'By the plain agent', kind: 'reply' });
  const admin = desk.browser('admin');
  await admin.signIn('admin@example.com', 'wire-password-3');
  for (const path of pages) await admin.get(path);
  await admin.post(`/settings/agents/${desk.firstRun.owner.email}/archive`);
  await desk.settle();
}
