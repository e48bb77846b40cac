import { PasswordsService } from '#libs/access';
import type { AgentRole } from '#libs/entities';
import { AgentsService, type CustomerFields } from '#libs/tickets';
import type { INestApplicationContext } from '@nestjs/common';
import type { ActingAgent } from './demo-context.js';
import type { SeededRandom } from './seeded-random.js';

/** Not a secret: the accounts of a demonstration are there to be looked at. */
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

/** The colleagues of the owner: those who work here, one who left and one who has not come yet. */
export async function createAgents(app: INestApplicationContext, owner: ActingAgent): Promise<ActingAgent[]> {
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

/** Some write for a company, some for themselves; no two have the same address. */
export function sampleCustomers(random: SeededRandom, count: number): CustomerFields[] {
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
