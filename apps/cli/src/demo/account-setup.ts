import type { Passwords } from '#libs/access';
import type { Acting, AgentsService, GroupsService, MailboxesService } from '#libs/desk';
import { COLLEAGUES, type Colleague, FORMER_COLLEAGUE, NEWCOMER } from './cast.js';
import type { Story } from './stories.js';

/** Not a secret: the accounts of a demonstration are there to be looked at. */
export const DEMO_PASSWORD = 'demonstration only';

export interface Offices {
  readonly agents: AgentsService;
  readonly groups: GroupsService;
  readonly mailboxes: MailboxesService;
  readonly passwords: Passwords;
}

export type Actor = Acting & { readonly email: string };

/** The colleagues of the owner: those who work here, one who left and one who has not come yet. */
export async function hire(offices: Offices, owner: Actor): Promise<Actor[]> {
  const hired: Actor[] = [owner];
  for (const colleague of COLLEAGUES) hired.push(await join(offices, owner, colleague));
  await join(offices, owner, FORMER_COLLEAGUE);
  await offices.agents.archive(owner, FORMER_COLLEAGUE.email);
  await offices.agents.invite(owner, NEWCOMER);
  return hired;
}

async function join({ agents, passwords }: Offices, owner: Actor, colleague: Colleague): Promise<Actor> {
  const { id, role, email } = await agents.invite(owner, colleague);
  await passwords.set(owner.accountId, id, DEMO_PASSWORD);
  return { ...owner, agentId: id, role, email };
}

export async function furnish({ groups, mailboxes }: Offices, owner: Actor): Promise<Record<Story['mailbox'], string>> {
  const there = await mailboxes.list(owner, { page: 1, perPage: 50, cursor: undefined });
  const addresses = { Support: '', Orders: 'orders@example.com', Billing: 'billing@example.com' };
  addresses.Support =
    there.items[0]?.email ?? (await mailboxes.create(owner, { name: 'Support', email: 'support@example.com' })).email;
  await mailboxes.create(owner, { name: 'Orders', email: addresses.Orders });
  await mailboxes.create(owner, { name: 'Billing', email: addresses.Billing });
  await groups.create(owner, { name: 'Workshop', members: ['tomasz@example.com', 'aiko@example.com'] });
  await groups.create(owner, { name: 'Logistics', members: ['noah@example.com'] });
  return addresses;
}
