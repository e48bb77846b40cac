import type {
  RequestContext,
  AttachmentsService,
  CustomerFields,
  MessagesService,
  TicketsService,
  TriageService,
} from '#libs/desk';
import type { TicketPriority } from '#libs/entities';
import type { DemoClock } from './demo-clock.js';
import { attachFile } from './sample-files.js';
import type { ActingAgent } from './account-setup.js';
import type { SeededRandom } from './seeded-random.js';
import { SPAM_TEMPLATES, TICKET_TEMPLATES, type TicketTemplate, PRODUCT_NAMES } from './ticket-templates.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface DemoContext {
  readonly tickets: TicketsService;
  readonly messages: MessagesService;
  readonly attachments: AttachmentsService;
  readonly triage: TriageService;
  readonly clock: DemoClock;
  readonly random: SeededRandom;
  /** The owner first. */
  readonly agents: readonly ActingAgent[];
  readonly customers: readonly CustomerFields[];
  readonly mailboxes: Readonly<Record<TicketTemplate['mailbox'], string>>;
  readonly groups: readonly string[];
}

/** Something that happens at a moment; the ticket's number is known once it was started. */
interface TimedAction {
  readonly at: number;
  readonly run: () => Promise<unknown>;
}

/** Everything in the order in which it happened, whichever ticket it belongs to: the clock only goes forward. */
export async function createHistory(stage: DemoContext, count: number, end: Date, days: number): Promise<void> {
  const scenes = Array.from({ length: count }, () => planTicket(stage, end.getTime(), days)).flat();
  scenes.sort((a, b) => a.at - b.at);
  for (const { at, run } of scenes) {
    if (at >= end.getTime()) continue;
    stage.clock.moveTo(new Date(at));
    await run();
  }
}

/** Most of it lately, and in working hours. */
function ticketStartTime(random: SeededRandom, end: number, days: number): number {
  const day = end - random.next() ** 1.6 * days * DAY_MS;
  const start = new Date(day);
  start.setUTCHours(random.integer(6, 20), random.integer(0, 59), random.integer(0, 59), random.integer(0, 999));
  return Math.min(start.getTime(), end - random.between(1, 90) * 60_000);
}

function planTicket(stage: DemoContext, end: number, days: number): TimedAction[] {
  const { random } = stage;
  const at = ticketStartTime(random, end, days);
  return random.chance(0.03) ? planSpamTicket(stage, at) : planSupportTicket(stage, at, end);
}

function planSpamTicket(stage: DemoContext, at: number): TimedAction[] {
  const [subject, body] = stage.random.pick(SPAM_TEMPLATES);
  const ticket = demoTicket(stage, { from: { email: 'offers@spam.example' }, subject, body, mailbox: 'Support' });
  const agent = stage.random.pick(stage.agents);
  return [
    { at, run: ticket.start },
    { at: at + HOUR_MS, run: () => stage.triage.setState(agent, ticket.number(), 'spam') },
  ];
}

function planSupportTicket(stage: DemoContext, at: number, end: number): TimedAction[] {
  const { random, triage } = stage;
  const story = random.pick(TICKET_TEMPLATES);
  const fill = placeholderFiller(random);
  const customer = random.pick(stage.customers);
  const ticket = demoTicket(stage, {
    from: customer,
    subject: fill(story.subject),
    body: fill(story.firstMessage),
    mailbox: story.mailbox,
  });
  const agent = random.pick(stage.agents.slice(1));
  let moment = at + random.between(0.1, 8) * HOUR_MS;
  const scenes: TimedAction[] = [{ at, run: ticket.start }];
  const then = (run: () => Promise<unknown>, hours: [number, number]): void => {
    scenes.push({ at: moment, run });
    moment += random.between(...hours) * HOUR_MS;
  };
  if (random.chance(0.15)) then(() => attachFile(stage, agent, ticket.number()), [0, 0.1]);
  then(() => triage.addTags(agent, ticket.number(), story.tags), [0, 0.1]);
  if (random.chance(0.55))
    then(() => triage.set(agent, ticket.number(), { priority: randomPriority(random) }), [0, 0.1]);
  if (random.chance(0.8)) then(() => triage.assign(random.pick(stage.agents), ticket.number(), agent.email), [0, 1]);
  if (random.chance(0.15)) then(() => triage.assignToGroup(agent, ticket.number(), random.pick(stage.groups)), [0, 1]);
  planConversation(stage, { story, fill, ticket: ticket.number, agent, customer: customer.email }, then);
  if (end - at > random.between(1, 12) * DAY_MS) then(() => triage.setState(agent, ticket.number(), 'closed'), [1, 2]);
  else if (random.chance(0.2)) then(() => triage.setState(agent, ticket.number(), 'pending'), [1, 2]);
  return scenes;
}

interface ConversationPlan {
  readonly story: TicketTemplate;
  readonly fill: (text: string) => string;
  readonly ticket: () => number;
  readonly agent: RequestContext;
  readonly customer: string;
}

type ScheduleAction = (act: () => Promise<unknown>, hours: [number, number]) => void;

function planConversation({ messages, random }: DemoContext, talk: ConversationPlan, then: ScheduleAction): void {
  const { story, fill, ticket, agent, customer } = talk;
  const { note } = story;
  if (note && random.chance(0.7))
    then(() => messages.post(agent, ticket(), { body: fill(note), note: true }), [0.2, 3]);
  for (const [turn, text] of story.replies.entries()) {
    const author = turn % 2 === 0 ? undefined : customer;
    then(() => messages.post(agent, ticket(), { body: fill(text), author }), [0.5, 30]);
  }
}

interface DemoTicketFields {
  readonly from: CustomerFields;
  readonly subject: string;
  readonly body: string;
  readonly mailbox: TicketTemplate['mailbox'];
}

function demoTicket({ tickets, agents, mailboxes }: DemoContext, { from, subject, body, mailbox }: DemoTicketFields) {
  let number = 0;
  const wanted = {
    from,
    to: { email: mailboxes[mailbox] },
    title: subject,
    body,
    state: 'unread',
    priority: null,
  } as const;
  return {
    start: async () => {
      ({ number } = await tickets.create(agents[0]!, { ...wanted, tags: [] }));
    },
    number: () => number,
  };
}

function placeholderFiller(random: SeededRandom): (text: string) => string {
  const order = String(random.integer(20_410, 48_990));
  const thing = random.pick(PRODUCT_NAMES);
  return (text) => text.replaceAll('{order}', order).replaceAll('{thing}', thing);
}

const randomPriority = (random: SeededRandom): TicketPriority =>
  random.pick(['low', 'low', 'medium', 'medium', 'medium', 'high', 'high', 'urgent'] as const);
