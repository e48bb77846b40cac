import { Agent, Customer, Group, Mailbox, Message, Ticket } from '#libs/entities';
import { Links, agentPayload, customerPayload, messagePayload, ticketPayload } from '#libs/payloads';

const links = new Links('https://desk.example');
const morning = new Date('2025-11-20T07:30:00.000Z');
const later = new Date('2025-11-20T08:00:00.000Z');

const maya = Object.assign(new Agent(), {
  id: '0199f3aa-5c20-7e18-b6f2-91d7c4a03e6b',
  email: 'maya@desk.example',
  firstName: 'Maya',
  lastName: 'Lind',
  role: 'agent' as const,
  state: 'invited' as const,
});

const jonas = Object.assign(new Customer(), {
  id: '019a8c02-11f0-7b9e-a3d4-6f1c0e2b8d57',
  email: 'jonas@client.example',
  firstName: 'Jonas',
  lastName: 'Weber',
  about: null,
  twitterUsername: null,
  title: 'Head of Finance',
  companyName: 'Client GmbH',
  phoneNumber: '+49 30 1234567',
  location: 'Berlin',
  websiteUrl: 'https://client.example',
  linkedinUsername: null,
  custom: { plan: 'business', seats: 25 },
  createdAt: morning,
  updatedAt: morning,
});

const ticket = Object.assign(new Ticket(), {
  number: 42,
  title: 'Charged twice for November',
  state: 'closed' as const,
  priority: 'high' as const,
  tags: ['invoice', 'refund'],
  summary: 'Hello, my card was charged twice this month. Could you look into it? Kind regards, Jonas',
  messageCount: 3,
  resolutionTime: 1800,
  snoozedUntil: null,
  createdAt: morning,
  updatedAt: later,
  assignee: maya,
  closedBy: maya,
  assignedGroup: Object.assign(new Group(), { name: 'Billing' }),
  mailbox: Object.assign(new Mailbox(), { name: 'Support' }),
  customer: jonas,
});

const message = Object.assign(new Message(), {
  id: '019a8c1e-7d3e-7a52-8c11-5b0e9d7f2c34',
  note: false,
  body: '<p>Dear Jonas, the second charge is on its way back to you.</p>',
  plainTextBody: 'Dear Jonas, the second charge is on its way back to you.',
  sentAt: null,
  createdAt: later,
  updatedAt: later,
  author: maya,
  ticketNumber: 42,
  attachments: [],
});

/** The records that the guide shows, as the product writes them. */
export const SAMPLES = {
  Ticket: ticketPayload(ticket, links),
  Message: messagePayload(message, links),
  Customer: customerPayload(jonas, links),
  Agent: agentPayload(maya, links),
};
