import type { ConsoleAction } from './twins.js';

export const PEOPLE_ACTIONS: readonly ConsoleAction[] = [
  {
    route: 'POST /customers',
    on: (desk) => desk.name(),
    click: (twin) => ['/customers', { email: `${twin}@client.example`, first_name: 'Bo' }],
    call: (twin, desk) => desk.post('/v1/customers', { email: `${twin}@client.example`, first_name: 'Bo' }),
  },
  {
    route: 'POST /customers/:email',
    on: (desk) => desk.customer(),
    click: (twin) => [`/customers/${twin}`, { email: twin, first_name: 'Ada' }],
    call: (twin, desk) => desk.client().patch(`/v1/customers/${twin}`, { first_name: 'Ada' }),
  },
  {
    route: 'POST /customers/:email/delete',
    on: (desk) => desk.customer(),
    click: (twin) => [`/customers/${twin}/delete`, {}],
    call: (twin, desk) => desk.client().delete(`/v1/customers/${twin}`),
  },
  {
    route: 'POST /settings/agents',
    on: (desk) => desk.name(),
    click: (twin) => [
      '/settings/agents',
      { email: `${twin}@acme.test`, first_name: 'A', last_name: 'B', role: 'admin' },
    ],
    call: (twin, desk) =>
      desk.post('/v1/agents', { email: `${twin}@acme.test`, first_name: 'A', last_name: 'B', role: 'admin' }),
  },
  {
    route: 'POST /settings/agents/:id/role',
    on: (desk) => desk.agent(),
    click: (twin) => [`/settings/agents/${twin}/role`, { role: 'admin' }],
    call: (twin, desk) => desk.put(`/v1/agents/${twin}`, { role: 'admin' }),
  },
  {
    route: 'POST /settings/agents/:id/archive',
    on: (desk) => desk.agent(),
    click: (twin) => [`/settings/agents/${twin}/archive`, {}],
    call: (twin, desk) => desk.post(`/v1/agents/${twin}/archive`),
  },
  {
    route: 'POST /settings/agents/:id/restore',
    on: (desk) => desk.archived(),
    click: (twin) => [`/settings/agents/${twin}/restore`, {}],
    call: (twin, desk) => desk.post(`/v1/agents/${twin}/restore`),
  },
  {
    route: 'POST /profile',
    on: (desk) => desk.name(),
    click: (twin) => ['/profile', { first_name: twin, last_name: 'Lind' }],
    call: (twin, desk) => desk.put(`/v1/agents/${desk.email}`, { first_name: twin, last_name: 'Lind' }),
  },
  {
    route: 'POST /settings/groups',
    on: (desk) => desk.name(),
    click: (twin) => ['/settings/groups', { name: twin }],
    call: (twin, desk) => desk.post('/v1/groups', { name: twin }),
  },
  {
    route: 'POST /settings/groups/:id',
    on: (desk) => desk.group(),
    click: (twin) => [`/settings/groups/${twin}`, { name: `renamed ${twin}` }],
    call: (twin, desk) => desk.put(`/v1/groups/${twin}`, { name: `renamed ${twin}`, members: [] }),
  },
  {
    route: 'POST /settings/groups/:id/delete',
    on: (desk) => desk.group(),
    click: (twin) => [`/settings/groups/${twin}/delete`, {}],
    call: (twin, desk) => desk.client().delete(`/v1/groups/${twin}`),
  },
  {
    route: 'POST /settings/mailboxes',
    on: (desk) => desk.name(),
    click: (twin) => ['/settings/mailboxes', { name: twin, email: `${twin}@acme.test` }],
    call: (twin, desk) => desk.post('/v1/mailboxes', { name: twin, email: `${twin}@acme.test` }),
  },
  {
    route: 'POST /settings/mailboxes/:id',
    on: (desk) => desk.mailbox(),
    click: (twin) => [`/settings/mailboxes/${twin}`, { name: `renamed ${twin}`, email: `${twin}@acme.test` }],
    call: (twin, desk) => desk.put(`/v1/mailboxes/${twin}`, { name: `renamed ${twin}`, email: `${twin}@acme.test` }),
  },
  {
    route: 'POST /settings/mailboxes/:id/smtp',
    on: (desk) => desk.mailbox(),
    click: (twin) => [`/settings/mailboxes/${twin}/smtp`, { host: 'mail.example.com', security: 'tls', username: '' }],
    call: (twin, desk) => desk.put(`/v1/mailboxes/${twin}/smtp`, { host: 'mail.example.com', security: 'tls' }),
  },
  {
    route: 'POST /settings/mailboxes/:id/smtp/delete',
    on: (desk) => desk.mailboxWithServer(),
    click: (twin) => [`/settings/mailboxes/${twin}/smtp/delete`, {}],
    call: (twin, desk) => desk.client().delete(`/v1/mailboxes/${twin}/smtp`),
  },
  {
    route: 'POST /settings/mailboxes/:id/signature',
    on: (desk) => desk.mailbox(),
    click: (twin) => [`/settings/mailboxes/${twin}/signature`, { signature: 'Open from 9 to 5' }],
    call: (twin, desk) => desk.put(`/v1/mailboxes/${twin}`, { signature: 'Open from 9 to 5' }),
  },
  {
    route: 'POST /settings/mailboxes/:id/sender-checks',
    on: (desk) => desk.mailbox(),
    click: (twin) => [`/settings/mailboxes/${twin}/sender-checks`, { authserv_id: 'mx.acme.test' }],
    call: (twin, desk) => desk.put(`/v1/mailboxes/${twin}`, { authserv_id: 'mx.acme.test' }),
  },
  {
    route: 'POST /settings/mailboxes/:id/delete',
    on: (desk) => desk.mailbox(),
    click: (twin) => [`/settings/mailboxes/${twin}/delete`, {}],
    call: (twin, desk) => desk.client().delete(`/v1/mailboxes/${twin}`),
  },
];
