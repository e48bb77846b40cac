import type { CustomerFields } from '#libs/desk';
import type { AgentRole } from '#libs/entities';
import type { SeededRandom } from './seeded-random.js';

export interface SampleAgent {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: AgentRole;
}

export const ACTIVE_AGENTS: readonly SampleAgent[] = [
  { firstName: 'Maya', lastName: 'Lindqvist', email: 'maya@example.com', role: 'admin' },
  { firstName: 'Noah', lastName: 'Bergmann', email: 'noah@example.com', role: 'agent' },
  { firstName: 'Inês', lastName: 'Carvalho', email: 'ines@example.com', role: 'agent' },
  { firstName: 'Tomasz', lastName: 'Zieliński', email: 'tomasz@example.com', role: 'agent' },
  { firstName: 'Aiko', lastName: 'Tanabe', email: 'aiko@example.com', role: 'agent' },
];

export const ARCHIVED_AGENT: SampleAgent = {
  firstName: 'Ruben',
  lastName: 'de Wit',
  email: 'ruben@example.com',
  role: 'agent',
};

export const INVITED_AGENT: SampleAgent = {
  firstName: 'Priya',
  lastName: 'Raman',
  email: 'priya@example.com',
  role: 'agent',
};

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

const asciiName = (name: string): string =>
  name.normalize('NFKD').replaceAll(/[^\w]/g, '').replaceAll('ı', 'i').toLowerCase();
