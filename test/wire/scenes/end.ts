import { TWIN } from '../product.js';
import type { Desk } from '../desk.js';

/** What ends things, the counters of all that was asked, and a token that asks too much. */
export async function ends(desk: Desk): Promise<void> {
  const { known } = desk;
  await desk.api('DELETE /v1/mailboxes/Billing', { about: 'in use' });
  await desk.api('DELETE /v1/groups/Refunds', { about: 'in use' });
  await desk.api('DELETE /v1/customers/jonas@client.example', { about: 'in use' });
  await desk.api(`POST /v1/agents/${TWIN.email}/archive`);
  await desk.api('GET /v1/me', { as: 'plain', about: 'archived' });
  await desk.api(`POST /v1/agents/${TWIN.email}/restore`);
  await desk.api('GET /v1/me', { as: 'plain', about: 'restored' });
  await desk.api(`DELETE /v1/webhooks/${known['own']}`);
  await desk.api(`DELETE /v1/webhooks/${known['own']}`, { about: 'again' });
  await desk.api(`GET /v1/webhooks/${known['own']}/deliveries`, { about: 'deleted' });
  await desk.settle();
  for (const path of [
    'tickets?per_page=50',
    'customers?per_page=50',
    'agents',
    'groups',
    'mailboxes',
    'webhooks?per_page=50',
    'folders',
  ])
    await desk.api(`GET /v1/${path}`, { about: 'in the end' });
  await tooMuch(desk);
  await desk.mail.settle(9);
  await metrics(desk);
}

async function tooMuch(desk: Desk): Promise<void> {
  for (let asked = 0; asked < 5000; asked += 1) {
    const { status } = await desk.send('GET /v1/me', { as: 'sweep', unsparing: true });
    if (status === 429) break;
  }
  await desk.api('GET /v1/me', { as: 'sweep', unsparing: true });
  await desk.api('POST /v1/tickets', { as: 'sweep', json: {}, unsparing: true });
}

/** Names and labels; what they count changes. */
async function metrics(desk: Desk): Promise<void> {
  const answer = await desk.send('GET /metrics');
  const lines = answer.text.split('\n');
  const about = lines.filter((line) => line.startsWith('#'));
  const counted = lines
    .filter((line) => line.startsWith('deskwire_') && !line.includes('_bucket{'))
    .map((line) => line.slice(0, line.lastIndexOf(' ')));
  desk.note({
    line: 'GET /metrics',
    status: answer.status,
    headers: answer.headers
      .filter(([name]) => !/date|content-length/.test(name))
      .map((pair) => pair.join(': '))
      .sort(),
    body: [...about, ...counted].sort().join('\n'),
  });
}
