import type { Desk } from '../desk.js';
import { KINDS } from './webhooks.js';

/** What became of the events so far: delivered, given up, held back; sent again by one and by many. */
export async function deliveries(desk: Desk): Promise<void> {
  const { known } = desk;
  for (const kind of [...KINDS, 'own', 'fail', 'gone', 'moved', 'closed', 'paused']) {
    await desk.api(`GET /v1/webhooks/${known[kind]}`);
    await desk.api(`GET /v1/webhooks/${known[kind]}/deliveries`);
  }
  const path = `/v1/webhooks/${known['fail']}/deliveries`;
  for (const query of [
    'state=exhausted',
    'state=pending,delivered',
    'state=x',
    'since=2024-01-01',
    'before=2024-01-01',
    'since=x',
    'per_page=1',
    'per_page=1&page=2',
    'cursor=x',
  ])
    await desk.api(`GET ${path}?${query}`);
  await single(desk);
  await desk.api(`PATCH /v1/webhooks/${known['paused']}`, {
    json: { state: 'active' },
    about: 'what was held goes out',
  });
  await desk.settle();
  await desk.api(`GET /v1/webhooks/${known['paused']}/deliveries`, { about: 'what was held went out' });
  await desk.api(`PATCH /v1/webhooks/${known['paused']}`, { json: { state: 'paused' } });
  await replays(desk);
  await events(desk);
}

async function single(desk: Desk): Promise<void> {
  const { known } = desk;
  for (const name of ['fail', 'gone', 'moved', 'closed', 'paused', 'ticket_started', 'agent_replied']) {
    const { json } = await desk.send(`GET /v1/webhooks/${known[name]}/deliveries`, { as: 'owner' });
    const [newest] = json.deliveries;
    if (!newest) continue;
    known[`delivery of ${name}`] = newest.id;
    await desk.api(`GET /v1/deliveries/${newest.id}`, { about: name });
    await desk.api(`POST /v1/deliveries/${newest.id}/redeliver`, { about: name });
  }
  await desk.api('POST /v1/deliveries/nothing/redeliver');
  await desk.settle();
  desk.receiver.mended = true;
  await desk.api(`POST /v1/deliveries/${known['delivery of fail']}/redeliver`, { about: 'the receiver was mended' });
  await desk.settle();
  for (const name of ['fail', 'gone', 'moved', 'ticket_started'])
    await desk.api(`GET /v1/deliveries/${known[`delivery of ${name}`]}`);
  desk.receiver.mended = false;
}

async function replays(desk: Desk): Promise<void> {
  const { known } = desk;
  const path = `/v1/webhooks/${known['fail']}`;
  const ended = async (id: string): Promise<void> => {
    await desk.settle();
    await desk.api(`GET /v1/replays/${id}`, { about: 'at its end' });
  };
  desk.receiver.mended = true;
  const failed = await desk.api(`POST ${path}/replay`);
  await ended(failed.json.replay.id);
  const all = await desk.api(`POST ${path}/replay`, {
    json: { only: 'all', since: '2024-01-01', before: '2199-01-01' },
  });
  await ended(all.json.replay.id);
  for (const json of [{ only: 'x' }, { since: 'x' }, { since: '2024-01-02', before: '2024-01-01' }, { before: 7 }])
    await desk.api(`POST ${path}/replay`, { json });
  await desk.api(`POST /v1/webhooks/${known['gone']}/replay`, { about: 'disabled' });
  await desk.api(`POST /v1/webhooks/${known['paused']}/replay`, { json: { only: 'all' }, about: 'paused' });
  await desk.api('POST /v1/webhooks/nothing/replay');
  await desk.api(`POST /v1/replays/${failed.json.replay.id}/cancel`, { about: 'ended already' });
  await desk.api('POST /v1/replays/nothing/cancel');
  await desk.api('GET /v1/replays/nothing');
  for (const query of ['', '?per_page=1', '?per_page=1&page=2', '?cursor=x'])
    await desk.api(`GET ${path}/replays${query}`);
  known['replay'] = failed.json.replay.id;
}

async function events(desk: Desk): Promise<void> {
  const { json } = await desk.api('GET /v1/events?per_page=50');
  const first = json.events[0];
  await desk.api(`GET /v1/events/${first.id}`);
  await desk.api('GET /v1/events/nothing');
  for (const query of [
    'event=ticket_started',
    'event=note_added,agent_invited',
    'event=x',
    'since=2024-01-01',
    'since=2199-01-01',
    'since=x',
    'per_page=2',
    'per_page=0',
    'cursor=x',
  ])
    await desk.api(`GET /v1/events?${query}`);
  let next: string | undefined = '/v1/events?per_page=40';
  for (let pages = 0; next && pages < 6; pages += 1) {
    const answer = await desk.api(`GET ${next}`, { about: 'page by page' });
    next = answer.json.meta.pagination.next_page?.replace(/^https?:\/\/[^/]+/, '');
  }
}
