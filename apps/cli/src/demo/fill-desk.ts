import { Database } from '#libs/database';
import { Account, Agent, Conflict, SCOPES, Ticket } from '#libs/entities';
import { MailboxesService } from '#libs/mailboxes';
import { CustomersService, GroupsService } from '#libs/tickets';
import type { INestApplicationContext } from '@nestjs/common';
import { authorizeApplications } from './demo-applications.js';
import { type ActingAgent, DAY_MS, type DemoClock } from './demo-context.js';
import { addDemoWebhooks } from './demo-webhooks.js';
import { createAgents, sampleCustomers } from './sample-people.js';
import { SeededRandom } from './seeded-random.js';
import { createHistory } from './ticket-history.js';

/** The walk through the README makes three. */
const MAX_EXISTING_TICKETS = 5;
const CUSTOMERS = 90;

/** Three months at a shop for outdoor gear, in the account that is there. */
export async function fillDesk(
  app: INestApplicationContext,
  clock: DemoClock,
  { tickets, days, seed }: { tickets: number; days: number; seed: number },
): Promise<void> {
  const end = clock.now();
  const random = new SeededRandom(seed);
  const owner = await findOwner(app.get(Database));
  clock.moveTo(new Date(end.getTime() - (days + 1) * DAY_MS));
  const agents = await createAgents(app, owner);
  await createMailboxesAndGroups(app, owner);
  const customers = sampleCustomers(random, CUSTOMERS);
  for (const customer of customers) await app.get(CustomersService).create(owner, customer);
  const context = { app, clock, random, end, agents, customers };
  await createHistory(context, tickets, days);
  const application = await authorizeApplications(context);
  await addDemoWebhooks(context, { console: { ...owner, grantId: null, scopes: SCOPES }, application });
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
  const inUse = (what: string) => new Conflict('not_empty', `The account “${account.name}” is in use: it has ${what}.`);
  if ((await rows.repository(Agent).count()) > 1) throw inUse('more agents than its owner');
  if ((await rows.repository(Ticket).count()) > MAX_EXISTING_TICKETS) throw inUse('tickets already');
  const { id, role, email } = owner;
  return { accountId: account.id, agentId: id, role, email, applicationId: null, requestId: null };
}

async function createMailboxesAndGroups(app: INestApplicationContext, owner: ActingAgent): Promise<void> {
  const [groups, mailboxes] = [app.get(GroupsService), app.get(MailboxesService)];
  const { items } = await mailboxes.list(owner, { page: 1, perPage: 1, cursor: undefined });
  const names = items.length > 0 ? ['Orders', 'Billing'] : ['Support', 'Orders', 'Billing'];
  for (const name of names) await mailboxes.create(owner, { name, email: `${name.toLowerCase()}@example.com` });
  await groups.create(owner, { name: 'Workshop', members: ['tomasz@example.com', 'aiko@example.com'] });
  await groups.create(owner, { name: 'Logistics', members: ['noah@example.com'] });
}
