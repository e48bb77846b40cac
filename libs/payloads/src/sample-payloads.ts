import { Agent, Customer, Group, Mailbox, Message, Ticket } from '#libs/entities';
import { type EventKind, type SubjectOf, serialisePayload } from './event-kinds.js';
import type { Links } from './links.js';

const MORNING = new Date('2025-11-20T07:30:00.000Z');
const LATER = new Date('2025-11-20T08:00:00.000Z');
const FIRST_TEXT = 'Hello, my card was charged twice this month. Could you look into it? Kind regards, Jonas';

export const samplePayload = (kind: EventKind, links: Links): object =>
  JSON.parse(serialisePayload(kind, subjectsWith(42, 'example')[kind], links)) as object;

/** Serialised. No account has such a ticket or such people (RFC 2606), so the links of a test event return 404. */
export const testPayload = (kind: EventKind, links: Links): string =>
  serialisePayload(kind, subjectsWith(2_147_483_647, 'invalid')[kind], links);

function subjectsWith(number: number, domain: string): { readonly [K in EventKind]: SubjectOf<K> } {
  const maya = Object.assign(new Agent(), {
    id: '0199f3aa-5c20-7e18-b6f2-91d7c4a03e6b',
    email: `maya@desk.${domain}`,
    firstName: 'Maya',
    lastName: 'Lind',
    role: 'agent',
    state: 'active',
  } satisfies Partial<Agent>);

  const jonas = Object.assign(new Customer(), {
    id: '019a8c02-11f0-7b9e-a3d4-6f1c0e2b8d57',
    email: `jonas@client.${domain}`,
    firstName: 'Jonas',
    lastName: 'Weber',
    title: 'Head of Finance',
    companyName: 'Client GmbH',
    phoneNumber: '+49 30 1234567',
    location: 'Berlin',
    websiteUrl: 'https://client.example',
    custom: { plan: 'business', seats: 25 },
    externalId: 'crm-2041',
    createdAt: MORNING,
    updatedAt: MORNING,
  } satisfies Partial<Customer>);

  const newTicket = {
    number,
    title: 'Charged twice for November',
    state: 'unread',
    tags: [],
    summary: FIRST_TEXT,
    lastMessageText: FIRST_TEXT,
    messageCount: 1,
    createdAt: MORNING,
    updatedAt: MORNING,
    mailbox: Object.assign(new Mailbox(), { id: '0199f3aa-5c20-7d41-9a63-2be07c5f1d84', name: 'Support' }),
    customer: jonas,
    externalId: 'shop-77120',
    custom: { invoice: 'INV-2025-1138' },
  } satisfies Partial<Ticket>;

  const billing = Object.assign(new Group(), { name: 'Billing', members: [] });

  const ticket = (changes: Partial<Ticket> = {}): Ticket =>
    Object.assign(new Ticket(), newTicket, Object.keys(changes).length > 0 && { updatedAt: LATER }, changes);

  const mirror = { clientId: 'ticket-mirror', name: 'Ticket Mirror' };

  const closed = {
    state: 'closed',
    priority: 'high',
    tags: ['invoice', 'refund'],
    messageCount: 3,
    resolutionTime: 1800,
    firstReplyAt: new Date('2025-11-20T07:42:00.000Z'),
    assignee: maya,
    closedBy: maya,
    assignedGroup: billing,
  } satisfies Partial<Ticket>;

  const message = (text: string, changes: Partial<Message>): Message =>
    Object.assign(new Message(), {
      id: '019a8c1e-7d3e-7a52-8c11-5b0e9d7f2c34',
      note: false,
      body: `<p>${text}</p>`,
      plainTextBody: text,
      toAddresses: [],
      ccAddresses: [],
      copies: [],
      sentAt: null,
      createdAt: LATER,
      updatedAt: LATER,
      author: maya,
      recipient: jonas,
      ticketNumber: number,
      attachments: [],
      application: null,
      ...changes,
    });

  const agent = (state: Agent['state']): Agent => Object.assign(new Agent(), maya, { state });

  return {
    ticket_started: ticket(),
    ticket_opened: ticket({ state: 'opened', assignee: maya }),
    ticket_closed: ticket(closed),
    ticket_assigned: ticket({ assignee: maya, assignedGroup: billing }),
    ticket_priority_changed: ticket({ priority: 'high' }),
    ticket_deleted: ticket({ ...closed, tags: ['spam'] }),
    ticket_tagged: ticket({ tags: ['invoice', 'refund'] }),
    ticket_moved: ticket({
      mailbox: Object.assign(new Mailbox(), { id: '0199f3ab-01c7-7f25-8e10-d4a96b3c7e52', name: 'Invoices' }),
    }),
    customer_replied: message('Thank you. When will I see the money?', {
      author: jonas,
      recipient: maya,
      toAddresses: ['support@desk.example'],
      ccAddresses: ['accounting@client.example'],
    }),
    customer_added: jonas,
    agent_invited: agent('invited'),
    agent_archived: agent('archived'),
    note_added: message('Asked the bank; they answer by noon.', { note: true, recipient: null, application: mirror }),
    agent_replied: message('Dear Jonas, the second charge is on its way back to you.', {
      toAddresses: [jonas.email],
      ccAddresses: ['accounting@client.example'],
    }),
  };
}
