import type { Desk } from '../desk.js';

export const KINDS = [
  'ticket_started',
  'ticket_opened',
  'ticket_closed',
  'ticket_assigned',
  'ticket_priority_changed',
  'ticket_deleted',
  'ticket_tagged',
  'ticket_moved',
  'customer_replied',
  'customer_added',
  'agent_invited',
  'agent_archived',
  'note_added',
  'agent_replied',
] as const;

const BAD_URLS = [
  'nothing',
  'ftp://example.com/',
  'http://user:pw@example.com/',
  'http://example.com/#part',
  'http://example.com:25/',
  'http://',
  'http://a..b/',
  'http://exa mple.com/',
  `http://example.com/${'x'.repeat(2050)}`,
  '',
  42,
  null,
  ['http://a.example/'],
];

/** One webhook for each kind, and all that is refused. Each kind is also sent as a test. */
export async function webhooks(desk: Desk): Promise<void> {
  const { receiver, known } = desk;
  await desk.api('GET /v1/webhooks', { about: 'none yet' });
  await desk.api('GET /v1/event_kinds');
  for (const kind of KINDS) {
    const { json } = await desk.api('POST /v1/webhooks', {
      json: { event: kind, url: `${receiver.url}/hook/${kind}` },
    });
    known[kind] = json.webhook.id;
  }
  await desk.quiet.listen();
  for (const url of BAD_URLS) await desk.api('POST /v1/webhooks', { json: { event: 'ticket_started', url } });
  for (const event of ['nothing', '', null, 7, undefined])
    await desk.api('POST /v1/webhooks', { json: { event, url: receiver.url } });
  await desk.api('POST /v1/webhooks', {
    form: [
      ['event', 'ticket_started'],
      ['url', `${receiver.url}/form`],
    ],
    about: 'a form',
  });
  await others(desk);
  for (const kind of KINDS) await desk.api(`POST /v1/webhooks/${known[kind]}/test`);
  await desk.settle();
  await lists(desk);
}

/** Receivers that refuse, and a webhook registered by another token. */
async function others(desk: Desk): Promise<void> {
  const { receiver, known } = desk;
  const ofOwn = await desk.api('POST /v1/webhooks', {
    as: 'webhooks',
    json: { event: 'note_added', url: `${receiver.url}/own` },
  });
  known['own'] = ofOwn.json.webhook.id;
  for (const name of ['fail', 'gone', 'moved']) {
    const { json } = await desk.api('POST /v1/webhooks', {
      json: { event: 'customer_added', url: `${receiver.url}/${name}/here` },
    });
    known[name] = json.webhook.id;
  }
  const { json } = await desk.api('POST /v1/webhooks', {
    json: { event: 'customer_added', url: 'http://127.0.0.1:4179/closed' },
  });
  known['closed'] = json.webhook.id;
  await desk.api('POST /v1/webhooks', {
    json: { event: 'customer_added', url: 'http://10.0.0.1/private' },
    about: 'a private address',
  });
  // Alone, so that it is known what was under way when a receiver said that it is gone.
  await desk.api('POST /v1/customers', { json: { email: 'first@client.example' } });
  await desk.settle();
  const paused = await desk.api('POST /v1/webhooks', {
    json: { event: 'ticket_started', url: `${receiver.url}/paused` },
  });
  known['paused'] = paused.json.webhook.id;
  await desk.api(`PATCH /v1/webhooks/${known['paused']}`, { json: { state: 'paused' } });
  await desk.api(`PATCH /v1/webhooks/${known['paused']}`, { json: { state: 'disabled' } });
  await desk.api(`PATCH /v1/webhooks/${known['paused']}`, { json: { url: `${receiver.url}/paused/moved` } });
  await desk.api(`PATCH /v1/webhooks/${known['paused']}`, { json: { url: 'nowhere' } });
  await desk.api(`PATCH /v1/webhooks/${known['paused']}`, { json: {} });
}

async function lists(desk: Desk): Promise<void> {
  const { known } = desk;
  const queries = [
    '',
    '?event=note_added',
    '?state=paused',
    '?state=active&per_page=3',
    '?page=2&per_page=5',
    '?event=nothing',
    '?state=nothing',
    '?cursor=x',
    '?per_page=0',
    '?page=a',
  ];
  for (const query of queries) await desk.api(`GET /v1/webhooks${query}`);
  await desk.api('GET /v1/webhooks', { as: 'webhooks', about: 'one’s own' });
  await desk.api('GET /v1/webhooks', { as: 'read' });
  const id = known['ticket_closed'];
  await desk.api(`GET /v1/webhooks/${id}`);
  await desk.api(`GET /v1/webhooks/${id}`, { as: 'webhooks' });
  await desk.api(`GET /v1/webhooks/${known['own']}`, { as: 'webhooks' });
  await desk.api(`GET /v1/webhooks/${id}/secret`);
  await desk.api(`POST /v1/webhooks/${id}/secret/rotate`);
  await desk.api(`GET /v1/webhooks/${id}/secret`, { about: 'two of them live' });
  await desk.api(`POST /v1/webhooks/${id}/test`, { about: 'signed with both' });
  await desk.settle();
  const { json } = await desk.api(`GET /v1/webhooks/${id}/deliveries`);
  await desk.api(`GET /v1/deliveries/${json.deliveries[0].id}`);
}
