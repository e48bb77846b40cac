import type { ConsoleAction, Twins } from './twins.js';

const OF_TICKET = 'POST /tickets/:number';

const bulk = (number: string, fields: Record<string, string>) =>
  ['/tickets/bulk', { 'ticket[]': number, ...fields }] as const;

export const TICKET_ACTIONS: readonly ConsoleAction[] = [
  {
    route: 'POST /tickets',
    on: (desk) => desk.name(),
    click: (twin) => [
      '/tickets',
      { to: `${twin}@client.example`, first_name: 'Bo', body: 'Hi', priority: 'high', mailbox: 'Billing' },
    ],
    call: (twin, desk) =>
      desk.post('/v1/tickets', {
        from: desk.email,
        to: { email: `${twin}@client.example`, first_name: 'Bo' },
        body: 'Hi',
        priority: 'high',
        mailbox: 'Billing',
      }),
  },
  {
    route: `${OF_TICKET}/messages`,
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/messages`, { body: 'A reply' }],
    call: (twin, desk) => desk.post(`/v1/tickets/${twin}/messages`, { body: 'A reply' }),
  },
  {
    route: `${OF_TICKET}/messages`,
    what: 'a note',
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/messages`, { body: 'A note', kind: 'note' }],
    call: (twin, desk) => desk.post(`/v1/tickets/${twin}/messages`, { body: 'A note', note: true }),
  },
  ...(['closed', 'opened', 'pending', 'spam'] as const).map((state) => ({
    route: `${OF_TICKET}/state`,
    what: state,
    on: (desk: Twins) => desk.ticket(),
    click: (twin: string) => [`/tickets/${twin}/state`, { state }] as const,
    call: (twin: string, desk: Twins) => desk.put(`/v1/tickets/${twin}/state`, { state }),
  })),
  {
    route: `${OF_TICKET}/state`,
    what: 'reopened',
    on: (desk) => desk.closed(),
    click: (twin) => [`/tickets/${twin}/state`, { state: 'opened' }],
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/state`, { state: 'opened' }),
  },
  {
    route: `${OF_TICKET}/assign`,
    on: (desk) => desk.ticket(),
    click: (twin, desk) => [`/tickets/${twin}/assign`, { assignee: desk.email, assigned_group: 'none' }],
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/assignee`, { assignee: desk.email }),
  },
  {
    route: `${OF_TICKET}/assign`,
    what: 'to a group',
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/assign`, { assignee: 'unassigned', assigned_group: 'Engineering' }],
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/assigned_group`, { assigned_group: 'Engineering' }),
  },
  {
    route: `${OF_TICKET}/snooze`,
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/snooze`, { until: '2050-05-01T09:00' }],
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/snoozed_until`, { snoozed_until: '2050-05-01T09:00:00Z' }),
  },
  {
    route: `${OF_TICKET}/wake`,
    on: (desk) => desk.snoozed(),
    click: (twin) => [`/tickets/${twin}/wake`, {}],
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/snoozed_until`, { snoozed_until: null }),
  },
  {
    route: `${OF_TICKET}/priority`,
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/priority`, { priority: 'urgent' }],
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/priority`, { priority: 'urgent' }),
  },
  {
    route: `${OF_TICKET}/tag`,
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/tag`, { tags: 'new' }],
    call: (twin, desk) => desk.post(`/v1/tickets/${twin}/tags`, { tags: ['new'] }),
  },
  {
    route: `${OF_TICKET}/untag`,
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/untag`, { tags: 'old' }],
    call: (twin, desk) => desk.client().delete(`/v1/tickets/${twin}/tags/old`),
  },
  {
    route: `${OF_TICKET}/move`,
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/move`, { mailbox: 'Billing' }],
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/mailbox`, { mailbox: 'Billing' }),
  },
  {
    route: `${OF_TICKET}/title`,
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/title`, { title: 'Another' }],
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/title`, { title: 'Another' }),
  },
  {
    route: `${OF_TICKET}/title`,
    what: 'none',
    on: (desk) => desk.titled(),
    click: (twin) => [`/tickets/${twin}/title`, { title: '' }],
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/title`, { title: null }),
  },
  {
    route: `${OF_TICKET}/delete`,
    on: (desk) => desk.ticket(),
    click: (twin) => [`/tickets/${twin}/delete`, {}],
    call: (twin, desk) => desk.client().delete(`/v1/tickets/${twin}`),
  },
  {
    route: `${OF_TICKET}/restore`,
    on: (desk) => desk.deleted(),
    click: (twin) => [`/tickets/${twin}/restore`, {}],
    call: (twin, desk) => desk.post(`/v1/tickets/${twin}/restore`),
  },
  {
    route: 'POST /tickets/bulk',
    what: 'close',
    on: (desk) => desk.ticket(),
    click: (twin) => bulk(twin, { do: 'close' }),
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/state`, { state: 'closed' }),
  },
  {
    route: 'POST /tickets/bulk',
    what: 'assign',
    on: (desk) => desk.ticket(),
    click: (twin, desk) => bulk(twin, { do: 'assign', assignee: desk.email }),
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/assignee`, { assignee: desk.email }),
  },
  {
    route: 'POST /tickets/bulk',
    what: 'move',
    on: (desk) => desk.ticket(),
    click: (twin) => bulk(twin, { do: 'move', mailbox: 'Billing' }),
    call: (twin, desk) => desk.put(`/v1/tickets/${twin}/mailbox`, { mailbox: 'Billing' }),
  },
  {
    route: 'POST /tickets/bulk',
    what: 'tag',
    on: (desk) => desk.ticket(),
    click: (twin) => bulk(twin, { do: 'tag', tags: 'new' }),
    call: (twin, desk) => desk.post(`/v1/tickets/${twin}/tags`, { tags: ['new'] }),
  },
  {
    route: 'POST /tickets/bulk',
    what: 'delete',
    on: (desk) => desk.ticket(),
    click: (twin) => bulk(twin, { do: 'delete' }),
    call: (twin, desk) => desk.client().delete(`/v1/tickets/${twin}`),
  },
  {
    route: 'POST /tickets/bulk',
    what: 'restore',
    on: (desk) => desk.deleted(),
    click: (twin) => bulk(twin, { do: 'restore' }),
    call: (twin, desk) => desk.post(`/v1/tickets/${twin}/restore`),
  },
];
