import { Passwords } from '#libs/access';
import { Database } from '#libs/database';
import {
  AgentsService,
  AttachmentsService,
  CustomersService,
  GroupsService,
  MailboxesService,
  MessagesService,
  TicketsService,
  TriageService,
} from '#libs/desk';
import { Account, Agent, Conflict, SCOPES, Ticket } from '#libs/entities';
import type { INestApplicationContext } from '@nestjs/common';
import { letInApplications } from './applications.js';
import { customers } from './cast.js';
import type { DemoClock } from './demo-clock.js';
import { type Stage, play } from './history.js';
import { type Actor, furnish, hire } from './people.js';
import { Random } from './random.js';
import { addWebhooks } from './webhooks.js';

export interface Wanted {
  readonly tickets: number;
  readonly days: number;
  readonly seed: number;
}

const DAY_MS = 86_400_000;
/** More than a first look leaves behind: somebody works with this account. */
const MOST_TICKETS_BEFORE = 20;

/** Three months at a shop for outdoor gear, in the account that is there. Returns how many tickets there are now. */
export async function fillDesk(app: INestApplicationContext, clock: DemoClock, wanted: Wanted): Promise<number> {
  const end = clock.now();
  const owner = await findOwner(app.get(Database));
  clock.moveTo(new Date(end.getTime() - (wanted.days + 1) * DAY_MS));
  const stage = await setStage(app, clock, { owner, seed: wanted.seed });
  await play(stage, wanted.tickets, end, wanted.days);
  clock.moveTo(end);
  const [, admin, agent] = stage.agents;
  const application = await letInApplications(app, clock, [owner, admin!, agent!]);
  await addWebhooks(app, { console: { ...owner, grantId: null, scopes: SCOPES }, application }, stage.random, end);
  return wanted.tickets;
}

async function findOwner(database: Database): Promise<Actor> {
  const { manager } = database.system();
  const [account] = await manager.find(Account, { order: { id: 'ASC' }, take: 1 });
  const owner = account && (await manager.findOneBy(Agent, { accountId: account.id, role: 'owner', state: 'active' }));
  if (!account || !owner)
    throw new Conflict('no_account', 'There is no account to fill yet. Run `npm start` once; it makes one.');
  if ((await manager.countBy(Ticket, { accountId: account.id })) > MOST_TICKETS_BEFORE)
    throw new Conflict('not_empty', `The account “${account.name}” is in use: it has tickets already.`);
  return {
    accountId: account.id,
    agentId: owner.id,
    role: owner.role,
    email: owner.email,
    applicationId: null,
    requestId: null,
  };
}

async function setStage(
  app: INestApplicationContext,
  clock: DemoClock,
  { owner, seed }: { owner: Actor; seed: number },
): Promise<Stage> {
  const random = new Random(seed);
  const offices = {
    agents: app.get(AgentsService),
    groups: app.get(GroupsService),
    mailboxes: app.get(MailboxesService),
    passwords: app.get(Passwords),
  };
  const agents = await hire(offices, owner);
  const mailboxes = await furnish(offices, owner);
  const people = customers(random, 90);
  for (const customer of people) await app.get(CustomersService).create(owner, customer);
  return {
    tickets: app.get(TicketsService),
    messages: app.get(MessagesService),
    attachments: app.get(AttachmentsService),
    triage: app.get(TriageService),
    clock,
    random,
    agents,
    customers: people,
    mailboxes,
    groups: ['Workshop', 'Logistics'],
  };
}
