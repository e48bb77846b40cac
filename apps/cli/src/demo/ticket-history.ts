import { Readable } from 'node:stream';
import type { TicketPriority } from '#libs/entities';
import { AttachmentsService, type CustomerFields, MessagesService, TicketsService, TriageService } from '#libs/tickets';
import { type ActingAgent, DAY_MS, type DemoContext, HOUR_MS, type SeededRandom } from './demo-context.js';
import { PRODUCT_NAMES, SAMPLE_FILES, SPAM_TEMPLATES, TICKET_TEMPLATES, readTemplate } from './ticket-templates.js';

const GROUPS = ['Workshop', 'Logistics'];
const PRIORITIES: readonly TicketPriority[] = ['low', 'low', 'medium', 'medium', 'medium', 'high', 'high', 'urgent'];

type Action = { readonly at: number; readonly run: () => Promise<unknown> };

/** Runs the actions of all tickets in the order of their times, because the clock only goes forward. */
export async function createHistory(context: DemoContext, count: number, days: number): Promise<void> {
  const { clock, end } = context;
  const actions = Array.from({ length: count }, () => planTicket(context, days)).flat();
  for (const { at, run } of actions.filter((action) => action.at < end.getTime()).sort((a, b) => a.at - b.at)) {
    clock.at = new Date(at);
    await run();
  }
  clock.at = end;
}

function planTicket(context: DemoContext, days: number): Action[] {
  const startAt = ticketStartTime(context.random, context.end.getTime(), days);
  return context.random.chance(0.03) ? planSpam(context, startAt) : planSupport(context, startAt);
}

/** Most tickets are recent and start in working hours. */
function ticketStartTime(random: SeededRandom, end: number, days: number): number {
  const start = new Date(end - random.next() ** 1.6 * days * DAY_MS);
  start.setUTCHours(random.integer(6, 20), random.integer(0, 59), random.integer(0, 59), random.integer(0, 999));
  return Math.min(start.getTime(), end - random.between(1, 90) * 60_000);
}

function planSpam(context: DemoContext, startAt: number): Action[] {
  const { app, random, agents } = context;
  const [title, body] = random.pick(SPAM_TEMPLATES);
  const agent = random.pick(agents);
  const opening = { from: { email: 'offers@spam.example' }, title, body, mailbox: 'support' };
  let ticket = 0;
  return [
    { at: startAt, run: async () => (ticket = await startTicket(context, opening)) },
    { at: startAt + HOUR_MS, run: () => app.get(TriageService).change(agent, ticket, { state: 'spam' }) },
  ];
}

function planSupport(context: DemoContext, startAt: number): Action[] {
  const { app, random, end, agents } = context;
  const messages = app.get(MessagesService);
  const triage = app.get(TriageService);
  const { messages: texts, note, tags, ...opening } = fillIn(random.pick(TICKET_TEMPLATES), random);
  const [body = '', ...replies] = texts;
  const from = random.pick(context.customers);
  const agent = random.pick(agents.slice(1));
  const actions: Action[] = [];
  let at = startAt;
  let ticket = 0;
  const act = (run: Action['run'], [least, most]: readonly [least: number, most: number]) => {
    actions.push({ at, run });
    at += random.between(least, most) * HOUR_MS;
  };

  act(async () => (ticket = await startTicket(context, { ...opening, from, body })), [0.1, 8]);
  if (random.chance(0.15)) act(() => attachFile(context, agent, ticket), [0, 0.1]);
  act(() => triage.change(agent, ticket, { addTags: tags }), [0, 0.1]);
  if (random.chance(0.55)) act(() => triage.change(agent, ticket, { priority: random.pick(PRIORITIES) }), [0, 0.1]);
  if (random.chance(0.8)) act(() => triage.change(random.pick(agents), ticket, { assignee: agent.email }), [0, 1]);
  if (random.chance(0.15)) act(() => triage.change(agent, ticket, { assignedGroup: random.pick(GROUPS) }), [0, 1]);
  if (note && random.chance(0.7)) act(() => messages.post(agent, ticket, { body: note, note: true }), [0.2, 3]);
  for (const [turn, reply] of replies.entries()) {
    const author = turn % 2 === 0 ? undefined : from.email;
    act(() => messages.post(agent, ticket, { body: reply, author }), [0.5, 30]);
  }
  const isOld = end.getTime() - startAt > random.between(1, 12) * DAY_MS;
  if (isOld) act(() => triage.change(agent, ticket, { state: 'closed' }), [1, 2]);
  else if (random.chance(0.2)) act(() => triage.change(agent, ticket, { state: 'pending' }), [1, 2]);
  return actions;
}

type Opening = Readonly<{
  from: CustomerFields;
  title: string;
  body: string;
  mailbox: string;
}>;

async function startTicket({ app, agents }: DemoContext, { mailbox, ...opening }: Opening): Promise<number> {
  const to = { email: `${mailbox}@example.com` };
  const wanted = { ...opening, to, state: 'unread', priority: null, tags: [] } as const;
  return (await app.get(TicketsService).create(agents[0]!, wanted)).number;
}

function fillIn(template: string, random: SeededRandom) {
  const order = String(random.integer(20_410, 48_990));
  const thing = random.pick(PRODUCT_NAMES);
  return readTemplate(template.replaceAll('{order}', order).replaceAll('{thing}', thing));
}

async function attachFile({ app, random }: DemoContext, as: ActingAgent, ticket: number): Promise<void> {
  const { items } = await app.get(MessagesService).list(as, ticket, { page: 1, perPage: 1, cursor: undefined });
  const { text, ...file } = random.pick(SAMPLE_FILES);
  const upload = { ...file, content: Readable.from([Buffer.from(text)]) };
  await app.get(AttachmentsService).attach(as, items[0]!.id, Readable.from([upload]));
}
