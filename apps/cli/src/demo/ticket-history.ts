import type {
  Acting,
  AttachmentsService,
  CustomerFields,
  MessagesService,
  TicketsService,
  TriageService,
} from '#libs/desk';
import type { TicketPriority } from '#libs/entities';
import type { DemoClock } from './demo-clock.js';
import { attachFile } from './files.js';
import type { Actor } from './people.js';
import type { Random } from './random.js';
import { SPAM, STORIES, type Story, THINGS } from './stories.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

export interface Stage {
  readonly tickets: TicketsService;
  readonly messages: MessagesService;
  readonly attachments: AttachmentsService;
  readonly triage: TriageService;
  readonly clock: DemoClock;
  readonly random: Random;
  /** The owner first. */
  readonly agents: readonly Actor[];
  readonly customers: readonly CustomerFields[];
  readonly mailboxes: Readonly<Record<Story['mailbox'], string>>;
  readonly groups: readonly string[];
}

/** Something that happens at a moment; the ticket's number is known once it was started. */
interface Scene {
  readonly at: number;
  readonly act: () => Promise<unknown>;
}

/** Everything in the order in which it happened, whichever ticket it belongs to: the clock only goes forward. */
export async function play(stage: Stage, count: number, end: Date, days: number): Promise<void> {
  const scenes = Array.from({ length: count }, () => plot(stage, end.getTime(), days)).flat();
  scenes.sort((a, b) => a.at - b.at);
  for (const { at, act } of scenes) {
    if (at >= end.getTime()) continue;
    stage.clock.moveTo(new Date(at));
    await act();
  }
}

/** Most of it lately, and in working hours. */
function begins(random: Random, end: number, days: number): number {
  const day = end - random.next() ** 1.6 * days * DAY_MS;
  const start = new Date(day);
  start.setUTCHours(random.integer(6, 20), random.integer(0, 59), random.integer(0, 59), random.integer(0, 999));
  return Math.min(start.getTime(), end - random.between(1, 90) * 60_000);
}

function plot(stage: Stage, end: number, days: number): Scene[] {
  const { random } = stage;
  const at = begins(random, end, days);
  return random.chance(0.03) ? spam(stage, at) : support(stage, at, end);
}

function spam(stage: Stage, at: number): Scene[] {
  const [subject, body] = stage.random.pick(SPAM);
  const ticket = opening(stage, { from: { email: 'offers@spam.example' }, subject, body, mailbox: 'Support' });
  const agent = stage.random.pick(stage.agents);
  return [
    { at, act: ticket.start },
    { at: at + HOUR_MS, act: () => stage.triage.setState(agent, ticket.number(), 'spam') },
  ];
}

function support(stage: Stage, at: number, end: number): Scene[] {
  const { random, triage } = stage;
  const story = random.pick(STORIES);
  const fill = filler(random);
  const customer = random.pick(stage.customers);
  const ticket = opening(stage, {
    from: customer,
    subject: fill(story.subject),
    body: fill(story.opening),
    mailbox: story.mailbox,
  });
  const agent = random.pick(stage.agents.slice(1));
  let moment = at + random.between(0.1, 8) * HOUR_MS;
  const scenes: Scene[] = [{ at, act: ticket.start }];
  const then = (act: () => Promise<unknown>, hours: [number, number]): void => {
    scenes.push({ at: moment, act });
    moment += random.between(...hours) * HOUR_MS;
  };
  if (random.chance(0.15)) then(() => attachFile(stage, agent, ticket.number()), [0, 0.1]);
  then(() => triage.addTags(agent, ticket.number(), story.tags), [0, 0.1]);
  if (random.chance(0.55)) then(() => triage.prioritise(agent, ticket.number(), priority(random)), [0, 0.1]);
  if (random.chance(0.8)) then(() => triage.assign(random.pick(stage.agents), ticket.number(), agent.email), [0, 1]);
  if (random.chance(0.15)) then(() => triage.assignToGroup(agent, ticket.number(), random.pick(stage.groups)), [0, 1]);
  converse(stage, { story, fill, ticket: ticket.number, agent, customer: customer.email }, then);
  if (end - at > random.between(1, 12) * DAY_MS) then(() => triage.setState(agent, ticket.number(), 'closed'), [1, 2]);
  else if (random.chance(0.2)) then(() => triage.setState(agent, ticket.number(), 'pending'), [1, 2]);
  return scenes;
}

interface Talk {
  readonly story: Story;
  readonly fill: (text: string) => string;
  readonly ticket: () => number;
  readonly agent: Acting;
  readonly customer: string;
}

type Then = (act: () => Promise<unknown>, hours: [number, number]) => void;

function converse({ messages, random }: Stage, talk: Talk, then: Then): void {
  const { story, fill, ticket, agent, customer } = talk;
  const { note } = story;
  if (note && random.chance(0.7))
    then(() => messages.post(agent, ticket(), { body: fill(note), note: true }), [0.2, 3]);
  for (const [turn, text] of story.exchange.entries()) {
    const author = turn % 2 === 0 ? undefined : customer;
    then(() => messages.post(agent, ticket(), { body: fill(text), author }), [0.5, 30]);
  }
}

interface Opening {
  readonly from: CustomerFields;
  readonly subject: string;
  readonly body: string;
  readonly mailbox: Story['mailbox'];
}

function opening({ tickets, agents, mailboxes }: Stage, { from, subject, body, mailbox }: Opening) {
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

function filler(random: Random): (text: string) => string {
  const order = String(random.integer(20_410, 48_990));
  const thing = random.pick(THINGS);
  return (text) => text.replaceAll('{order}', order).replaceAll('{thing}', thing);
}

const priority = (random: Random): TicketPriority =>
  random.pick(['low', 'low', 'medium', 'medium', 'medium', 'high', 'high', 'urgent'] as const);
