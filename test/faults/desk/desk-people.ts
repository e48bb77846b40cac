import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { type SeededAgent, seedAgent } from '#test/support/seed.js';
import { Person } from '../../oauth/support/person.js';
import type { MailSystem } from '../mail/mail-system.js';

/** Seconds in which a reply can be undone. */
const UNDO_SECONDS = 3;
const AUTHORS = ['ana', 'ben', 'cem', 'dora'];
const COLLEAGUES = Array.from({ length: 12 }, (_, place) => `colleague${place}`);

export interface Author extends SeededAgent {
  /** With a session at each API. */
  readonly persons: readonly Person[];
}

export interface DeskPeople {
  readonly authors: readonly Author[];
  /** Emails of active agents who want every notification. */
  readonly active: readonly string[];
  /** Handles of agents who must not get one: archived, without a wish for one, and nobody. */
  readonly silent: readonly string[];
  readonly groups: readonly { readonly name: string; readonly members: readonly string[] }[];
}

export const MAILBOX = 'help';

export async function addPeople(system: MailSystem): Promise<DeskPeople> {
  await system.addMailbox(MAILBOX, null);
  const { id } = system.account;
  const agents = await system.database(async (client) => {
    const seeded = new Map<string, SeededAgent>();
    for (const name of [...AUTHORS, ...COLLEAGUES, 'archived', 'quiet'])
      seeded.set(name, await seedAgent(client, id, { email: `${name}@acme.test` }));
    await client.query(`update agents set mail_about = '{mentions,assigned,groups}' where email <> 'quiet@acme.test'`);
    await client.query(`update agents set state = 'archived', archived_at = now() where email = 'archived@acme.test'`);
    await client.query('update accounts set undo_send_seconds = $1', [UNDO_SECONDS]);
    return seeded;
  });
  const groups = [
    { name: 'Repairs', members: [...AUTHORS.slice(0, 2), ...COLLEAGUES.slice(0, 2)].map(emailOf) },
    { name: 'Returns', members: [...AUTHORS.slice(2), ...COLLEAGUES.slice(2, 3)].map(emailOf) },
  ];
  for (const group of groups) await system.call('POST', '/v1/groups', group);
  const authors = await Promise.all(
    AUTHORS.map(async (name) => ({ ...agents.get(name)!, persons: await signIn(system, agents.get(name)!) })),
  );
  const active = [...AUTHORS, ...COLLEAGUES].map(emailOf);
  return { authors, active, silent: ['archived', 'quiet', 'nobody', 'archived@acme.test'], groups };
}

const emailOf = (name: string): string => `${name}@acme.test`;

function signIn(system: MailSystem, agent: SeededAgent): Promise<Person[]> {
  return Promise.all(
    system.apis.map(async ({ base }) => {
      const token = randomBytes(32).toString('base64url');
      const hash = createHash('sha256').update(token).digest();
      await system.database((client) =>
        client.query(
          `insert into sessions (id, hash, account_id, agent_id, user_agent, address, created_at, last_seen_at, expires_at)
           values ($1, $2, $3, $4, 'Chrome', '127.0.0.1', now(), now(), now() + interval '1 day')`,
          [randomUUID(), hash, system.account.id, agent.id],
        ),
      );
      const person = new Person(base);
      person.cookies.set('deskwire-session', token);
      // Reads the CSRF token before the first fault.
      await person.act('/tickets/undo', { kept: 'none' });
      return person;
    }),
  );
}
