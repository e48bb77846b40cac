import type { PasswordsService } from '#libs/access';
import type { RequestContext, AgentsService, GroupsService, MailboxesService } from '#libs/desk';
import { ACTIVE_AGENTS, type SampleAgent, ARCHIVED_AGENT, INVITED_AGENT } from './sample-people.js';
import type { TicketTemplate } from './ticket-templates.js';

/** Not a secret: the accounts of a demonstration are there to be looked at. */
export const DEMO_PASSWORD = 'demonstration only';

export interface SetupServices {
  readonly agents: AgentsService;
  readonly groups: GroupsService;
  readonly mailboxes: MailboxesService;
  readonly passwords: PasswordsService;
}

export type ActingAgent = RequestContext & { readonly email: string };

/** The colleagues of the owner: those who work here, one who left and one who has not come yet. */
export async function createAgents(services: SetupServices, owner: ActingAgent): Promise<ActingAgent[]> {
  const hired: ActingAgent[] = [owner];
  for (const colleague of ACTIVE_AGENTS) hired.push(await addActiveAgent(services, owner, colleague));
  await addActiveAgent(services, owner, ARCHIVED_AGENT);
  await services.agents.archive(owner, ARCHIVED_AGENT.email);
  await services.agents.invite(owner, INVITED_AGENT);
  return hired;
}

async function addActiveAgent(
  { agents, passwords }: SetupServices,
  owner: ActingAgent,
  colleague: SampleAgent,
): Promise<ActingAgent> {
  const { id, role, email } = await agents.invite(owner, colleague);
  await passwords.set(owner.accountId, id, DEMO_PASSWORD);
  return { ...owner, agentId: id, role, email };
}

export async function createMailboxesAndGroups(
  { groups, mailboxes }: SetupServices,
  owner: ActingAgent,
): Promise<Record<TicketTemplate['mailbox'], string>> {
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
