import { Readable } from 'node:stream';
import type { TicketPriority } from '#libs/entities';
import { AttachmentsService, type CustomerFields, MessagesService, TicketsService, TriageService } from '#libs/tickets';
import { type ActingAgent, DAY_MS, type DemoContext, HOUR_MS, type SeededRandom } from './demo-context.js';
import {
  PRODUCT_NAMES,
  SAMPLE_FILES,
  SPAM_TEMPLATES,
  TICKET_TEMPLATES,
  type TicketTemplate,
} from './ticket-templates.js';

const GROUPS = ['Workshop', 'Logistics'];
const PRIORITIES: readonly TicketPriority[] = ['low', 'low', 'medium', 'medium', 'medium', 'high', 'high', 'urgent'];

/** Runs the actions of all tickets in the order of their times, because the clock only goes forward. */
export async function createHistory(context: DemoContext, count: number, days: number): Promise<void> {
  const plans = Array.from({ length: count }, () => planTicket(context, days));
  const actions = plans.flatMap((plan) => plan.actions).sort((a, b) => a.at - b.at);
  for (const { at, run } of actions.filter((action) => action.at < context.end.getTime())) {
    context.clock.moveTo(new Date(at));
    await run();
  }
  context.clock.moveTo(context.end);
}

function planTicket(context: DemoContext, days: number): TicketPlan {
  const { random, end } = context;
  const plan = new TicketPlan(context, ticketStartTime(random, end.getTime(), days));
  if (random.chance(0.03)) planSpam(context, plan);
  else planSupport(context, plan);
  return plan;
}

/** Most tickets are recent and start in working hours. */
function ticketStartTime(random: SeededRandom, end: number, days: number): number {
  const day = end - random.next() ** 1.6 * days * DAY_MS;
  const start = new Date(day);
  start.setUTCHours(random.integer(6, 20), random.integer(0, 59), random.integer(0, 59), random.integer(0, 999));
  return Math.min(start.getTime(), end - random.between(1, 90) * 60_000);
}

type Hours = readonly [from: number, to: number];
type Act = (ticket: number) => Promise<unknown>;

/** The actions on one ticket, with their times. Its number is known after the first action. */
class TicketPlan {
  readonly actions: { readonly at: number; readonly run: () => Promise<unknown> }[] = [];
  private number = 0;
  private nextAt: number;

  constructor(
    private readonly context: DemoContext,
    readonly startAt: number,
  ) {
    this.nextAt = startAt;
  }

  start(from: CustomerFields, title: string, body: string, mailbox: TicketTemplate['mailbox']): void {
    const { app, agents } = this.context;
    const to = { email: `${mailbox}@example.com` };
    const wanted = { from, to, title, body, state: 'unread', priority: null, tags: [] } as const;
    this.at(this.startAt, async () => {
      ({ number: this.number } = await app.get(TicketsService).create(agents[0]!, wanted));
    });
  }

  at(at: number, act: Act): void {
    this.actions.push({ at, run: () => act(this.number) });
  }

  next(act: Act, pause: Hours): void {
    this.at(this.nextAt, act);
    this.pause(pause);
  }

  pause([from, to]: Hours): void {
    this.nextAt += this.context.random.between(from, to) * HOUR_MS;
  }
}

function planSpam({ app, random, agents }: DemoContext, plan: TicketPlan): void {
  const [subject, body] = random.pick(SPAM_TEMPLATES);
  const agent = random.pick(agents);
  plan.start({ email: 'offers@spam.example' }, subject, body, 'support');
  plan.at(plan.startAt + HOUR_MS, (ticket) => app.get(TriageService).setState(agent, ticket, 'spam'));
}

function planSupport(context: DemoContext, plan: TicketPlan): void {
  const { app, random, end } = context;
  const triage = app.get(TriageService);
  const template = fillIn(random.pick(TICKET_TEMPLATES), random);
  const customer = random.pick(context.customers);
  const agent = random.pick(context.agents.slice(1));
  plan.start(customer, template.subject, template.messages[0]!, template.mailbox);
  plan.pause([0.1, 8]);
  if (random.chance(0.15)) plan.next((ticket) => attachFile(context, agent, ticket), [0, 0.1]);
  plan.next((ticket) => triage.addTags(agent, ticket, template.tags), [0, 0.1]);
  if (random.chance(0.55))
    plan.next((ticket) => triage.change(agent, ticket, { priority: random.pick(PRIORITIES) }), [0, 0.1]);
  if (random.chance(0.8))
    plan.next((ticket) => triage.change(random.pick(context.agents), ticket, { assignee: agent.email }), [0, 1]);
  if (random.chance(0.15))
    plan.next((ticket) => triage.change(agent, ticket, { assignedGroup: random.pick(GROUPS) }), [0, 1]);
  planConversation(context, plan, { template, agent, customer: customer.email });
  const age = end.getTime() - plan.startAt;
  if (age > random.between(1, 12) * DAY_MS) plan.next((ticket) => triage.setState(agent, ticket, 'closed'), [1, 2]);
  else if (random.chance(0.2)) plan.next((ticket) => triage.setState(agent, ticket, 'pending'), [1, 2]);
}

function planConversation(
  { app, random }: DemoContext,
  plan: TicketPlan,
  { template, agent, customer }: { template: TicketTemplate; agent: ActingAgent; customer: string },
): void {
  const messages = app.get(MessagesService);
  const { note } = template;
  if (note && random.chance(0.7))
    plan.next((ticket) => messages.post(agent, ticket, { body: note, note: true }), [0.2, 3]);
  for (const [turn, body] of template.messages.slice(1).entries()) {
    const author = turn % 2 === 0 ? undefined : customer;
    plan.next((ticket) => messages.post(agent, ticket, { body, author }), [0.5, 30]);
  }
}

function fillIn(template: TicketTemplate, random: SeededRandom): TicketTemplate {
  const order = String(random.integer(20_410, 48_990));
  const thing = random.pick(PRODUCT_NAMES);
  const fill = (text: string): string => text.replaceAll('{order}', order).replaceAll('{thing}', thing);
  const { subject, messages, note } = template;
  return { ...template, subject: fill(subject), messages: messages.map(fill), ...(note && { note: fill(note) }) };
}

async function attachFile({ app, random }: DemoContext, as: ActingAgent, ticket: number): Promise<void> {
  const { items } = await app.get(MessagesService).list(as, ticket, { page: 1, perPage: 1, cursor: undefined });
  const { text, ...file } = random.pick(SAMPLE_FILES);
  const upload = { ...file, content: Readable.from([Buffer.from(text)]) };
  await app.get(AttachmentsService).attach(as, items[0]!.id, Readable.from([upload]));
}
