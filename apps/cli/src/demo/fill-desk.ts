import { PasswordsService } from '#libs/access';
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
import { authorizeApplications } from './demo-applications.js';
import { sampleCustomers } from './sample-people.js';
import type { DemoClock } from './demo-clock.js';
import { type DemoContext, createHistory } from './ticket-history.js';
import { type ActingAgent, createMailboxesAndGroups, createAgents } from './account-setup.js';
import { SeededRandom } from './seeded-random.js';
import { addDemoWebhooks } from './demo-webhooks.js';

export interface DemoSize {
  readonly tickets: number;
  readonly days: number;
  readonly seed: number;
}

const DAY_MS = 86_400_000;
/** More than a first look leaves behind: somebody works with this account. */
const MAX_EXISTING_TICKETS = 20;

/** Three months at a shop for outdoor gear, in the account that is there. Returns how many tickets there are now. */
export async function fillDesk(app: INestApplicationContext, clock: DemoClock, wanted: DemoSize): Promise<number> {
  const end = clock.now();
  const owner = await findOwner(app.get(Database));
  clock.moveTo(new Date(end.getTime() - (wanted.days + 1) * DAY_MS));
  const stage = await prepareDemo(app, clock, { owner, seed: wanted.seed });
  await createHistory(stage, wanted.tickets, end, wanted.days);
  clock.moveTo(end);
  const [, admin, agent] = stage.agents;
  const application = await authorizeApplications(app, clock, [owner, admin!, agent!]);
  await addDemoWebhooks(app, { console: { ...owner, grantId: null, scopes: SCOPES }, application }, stage.random, end);
  return wanted.tickets;
}

async function findOwner(database: Database): Promise<ActingAgent> {
  const [account] = await database
    .system()
    .repository(Account)
    .find({ order: { id: 'ASC' }, take: 1 });
  const rows = account && database.account(account.id);
  const owner = await rows?.repository(Agent).findOne({ role: 'owner', state: 'active' });
  if (!rows || !owner)
    throw new Conflict('no_account', 'There is no account to fill yet. Run `npm start` once; it makes one.');
  if ((await rows.repository(Ticket).count()) > MAX_EXISTING_TICKETS)
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

async function prepareDemo(
  app: INestApplicationContext,
  clock: DemoClock,
  { owner, seed }: { owner: ActingAgent; seed: number },
): Promise<DemoContext> {
  const random = new SeededRandom(seed);
  const services = {
    agents: app.get(AgentsService),
    groups: app.get(GroupsService),
    mailboxes: app.get(MailboxesService),
    passwords: app.get(PasswordsService),
  };
  const agents = await createAgents(services, owner);
  const mailboxes = await createMailboxesAndGroups(services, owner);
  const people = sampleCustomers(random, 90);
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
