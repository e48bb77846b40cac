import { Database } from '#libs/database';
import { Account, Agent, Conflict, SCOPES, Ticket, type AgentRole } from '#libs/entities';
import { MailboxesService } from '#libs/mailboxes';
import { CustomersService, GroupsService, AgentsService, type CustomerFields } from '#libs/tickets';
import type { INestApplicationContext } from '@nestjs/common';
import { authorizeApplications, addDemoWebhooks } from './demo-webhooks.js';
import { type ActingAgent, DAY_MS, type DemoClock, SeededRandom } from './demo-context.js';
import { createHistory } from './ticket-history.js';
import { PasswordsService } from '#libs/access';

/** The README's walk-through makes three. */
const MAX_EXISTING_TICKETS = 5;
const CUSTOMERS = 90;

/** Fills the existing account with three months of a shop for outdoor gear. */
export async function fillDesk(
  app: INestApplicationContext,
  clock: DemoClock,
  { tickets, days, seed }: { tickets: number; days: number; seed: number },
): Promise<void> {
  const end = clock.now();
  const random = new SeededRandom(seed);
  const owner = await findOwner(app.get(Database));
  clock.at = new Date(end.getTime() - (days + 1) * DAY_MS);
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
    throw new Conflict('no_account', 'There is no account to fill yet. Run `npm start` once to create one.');
  const inUse = (what: string) => new Conflict('not_empty', `The account “${account.name}” is in use: it has ${what}.`);
  if ((await rows.repository(Agent).count()) > 1) throw inUse('agents besides its owner');
  if ((await rows.repository(Ticket).count()) > MAX_EXISTING_TICKETS) throw inUse('tickets already');
  const { id, role, email } = owner;
  return { accountId: account.id, agentId: id, role, email, applicationId: null, requestId: null };
}

async function createMailboxesAndGroups(app: INestApplicationContext, owner: ActingAgent): Promise<void> {
  const groups = app.get(GroupsService);
  const mailboxes = app.get(MailboxesService);
  const { items } = await mailboxes.list(owner, { page: 1, perPage: 1, cursor: undefined });
  const names = items.length > 0 ? ['Orders', 'Billing'] : ['Support', 'Orders', 'Billing'];
  for (const name of names) await mailboxes.create(owner, { name, email: `${name.toLowerCase()}@example.com` });
  await groups.create(owner, { name: 'Workshop', members: ['tomasz@example.com', 'aiko@example.com'] });
  await groups.create(owner, { name: 'Logistics', members: ['noah@example.com'] });
}

/** Not a secret: it is published with the source. */
export const DEMO_PASSWORD = 'demonstration only';

const agent = (firstName: string, lastName: string, role: AgentRole = 'agent') => ({
  firstName,
  lastName,
  role,
  email: `${asciiName(firstName)}@example.com`,
});

const ACTIVE_AGENTS = [
  agent('Maya', 'Lindqvist', 'admin'),
  agent('Noah', 'Bergmann'),
  agent('Inês', 'Carvalho'),
  agent('Tomasz', 'Zieliński'),
  agent('Aiko', 'Tanabe'),
];
const ARCHIVED_AGENT = agent('Ruben', 'de Wit');
const INVITED_AGENT = agent('Priya', 'Raman');

/** The owner's colleagues: five active, one archived, one invited. */
async function createAgents(app: INestApplicationContext, owner: ActingAgent): Promise<ActingAgent[]> {
  const agents = app.get(AgentsService);
  const hired: ActingAgent[] = [];
  for (const colleague of [...ACTIVE_AGENTS, ARCHIVED_AGENT]) {
    const { id, role, email } = await agents.invite(owner, colleague);
    await app.get(PasswordsService).set(owner.accountId, id, DEMO_PASSWORD);
    hired.push({ ...owner, agentId: id, role, email });
  }
  await agents.archive(owner, ARCHIVED_AGENT.email);
  await agents.invite(owner, INVITED_AGENT);
  return [owner, ...hired.slice(0, -1)];
}

const FIRST_NAMES = (
  'Ana Bruno Chloé Dmitri Elif Farid Greta Hugo Ingrid Jonas Katarína Lars Mei Nadia Oscar Paula Quentin Rosa Sven ' +
  'Tala Umut Valentina Wanda Xavier Yusuf Zoë Amélie Benedikt Carmen Davide'
).split(' ');
const LAST_NAMES = (
  'Ruiz Okafor Dubois Petrov Yılmaz Haddad Schneider Moreau Nilsen Weber Novák Jensen Chen Rahman Svensson Costa ' +
  'Lefèvre Marino Eriksson Amari Kaya Ferrari Nowak Silva Demir Bakker Laurent Huber Ortega Ricci'
).split(' ');
const COMPANIES = [
  ['Alpenverein Nord', 'alpenverein-nord.example'],
  ['Ruiz Guías', 'ruiz-guias.example'],
  ['Trailhead Rentals', 'trailhead.example'],
  ['Fjord & Fell', 'fjordfell.example'],
  ['Campanile Outdoor', 'campanile.example'],
] as const;
const LOCATIONS = ['Valencia', 'Lyon', 'Bergen', 'Graz', 'Porto', 'Kraków', 'Utrecht', 'Bolzano', 'Aarhus', 'Leeds'];

/** Some belong to a company. Addresses are unique. */
function sampleCustomers(random: SeededRandom, count: number): CustomerFields[] {
  return Array.from({ length: count }, (_, index) => {
    const firstName = FIRST_NAMES[index % FIRST_NAMES.length]!;
    const lastName = LAST_NAMES[(index * 7 + Math.floor(index / FIRST_NAMES.length)) % LAST_NAMES.length]!;
    const [companyName, domain] = random.chance(0.35) ? random.pick(COMPANIES) : [null, 'mail.example'];
    return {
      email: `${asciiName(firstName)}.${asciiName(lastName)}${index >= FIRST_NAMES.length ? index : ''}@${domain}`,
      firstName,
      lastName,
      companyName,
      location: random.pick(LOCATIONS),
      phoneNumber: random.chance(0.3) ? `+44 20 7946 0${random.integer(100, 999)}` : null,
      custom: { orders: random.integer(1, 24), newsletter: random.chance(0.5) },
    };
  });
}

function asciiName(name: string): string {
  return name.normalize('NFKD').replaceAll(/[^\w]/g, '').replaceAll('ı', 'i').toLowerCase();
}
