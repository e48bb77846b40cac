import type { ConsoleAction } from './twins.js';

const parts = (pair: string): string[] => pair.split(' ');

export const WEBHOOK_ACTIONS: readonly ConsoleAction[] = [
  {
    route: 'POST /settings/webhooks',
    on: (desk) => desk.name(),
    click: (twin) => ['/settings/webhooks', { url: `https://example.com/${twin}`, 'event[]': 'ticket_started' }],
    call: (twin, desk) => desk.post('/v1/webhooks', { url: `https://example.com/${twin}`, event: 'ticket_started' }),
  },
  {
    route: 'POST /settings/webhooks/:id',
    on: (desk) => desk.webhook(),
    click: (twin) => [`/settings/webhooks/${twin}`, { url: `https://example.com/${twin}/mended` }],
    call: (twin, desk) => desk.client().patch(`/v1/webhooks/${twin}`, { url: `https://example.com/${twin}/mended` }),
  },
  {
    route: 'POST /settings/webhooks/:id/state',
    on: (desk) => desk.webhook(),
    click: (twin) => [`/settings/webhooks/${twin}/state`, { state: 'paused' }],
    call: (twin, desk) => desk.client().patch(`/v1/webhooks/${twin}`, { state: 'paused' }),
  },
  {
    route: 'POST /settings/webhooks/:id/signatures',
    on: (desk) => desk.webhook(),
    click: (twin) => [`/settings/webhooks/${twin}/signatures`, { signatures: 'v1,v1a' }],
    call: (twin, desk) => desk.client().patch(`/v1/webhooks/${twin}`, { signatures: ['v1', 'v1a'] }),
  },
  {
    route: 'POST /settings/webhooks/:id/test',
    on: (desk) => desk.webhook(),
    click: (twin) => [`/settings/webhooks/${twin}/test`, {}],
    call: (twin, desk) => desk.post(`/v1/webhooks/${twin}/test`),
  },
  {
    route: 'POST /settings/webhooks/:id/delete',
    on: (desk) => desk.webhook(),
    click: (twin) => [`/settings/webhooks/${twin}/delete`, {}],
    call: (twin, desk) => desk.client().delete(`/v1/webhooks/${twin}`),
  },
  {
    route: 'POST /settings/webhooks/:id/secret',
    on: (desk) => desk.webhook(),
    click: (twin) => [`/settings/webhooks/${twin}/secret`, {}],
    call: (twin, desk) => desk.client().get(`/v1/webhooks/${twin}/secret`),
  },
  {
    route: 'POST /settings/webhooks/:id/rotate',
    on: (desk) => desk.webhook(),
    click: (twin) => [`/settings/webhooks/${twin}/rotate`, {}],
    call: (twin, desk) => desk.post(`/v1/webhooks/${twin}/secret/rotate`),
  },
  {
    route: 'POST /settings/webhooks/:id/replay',
    on: (desk) => desk.webhook(),
    click: (twin) => [`/settings/webhooks/${twin}/replay`, { hours: '1', which: 'failed' }],
    call: (twin, desk) => desk.post(`/v1/webhooks/${twin}/replay`),
  },
  {
    route: 'POST /settings/webhooks/:id/replays/:replay/cancel',
    on: (desk) => desk.replay(),
    click: (twin) => [`/settings/webhooks/${parts(twin)[0]}/replays/${parts(twin)[1]}/cancel`, {}],
    call: (twin, desk) => desk.post(`/v1/replays/${parts(twin)[1]}/cancel`),
  },
  {
    route: 'POST /settings/deliveries/:id/redeliver',
    on: (desk) => desk.delivery(),
    click: (twin) => [`/settings/deliveries/${twin}/redeliver`, {}],
    call: (twin, desk) => desk.post(`/v1/deliveries/${twin}/redeliver`),
  },
];
