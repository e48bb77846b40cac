import type { Group } from '#libs/entities';
import { address, id, linksTo, string, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

export const groupPayload = recordPayload<Group>('Agents to whom tickets can be assigned together.', {
  name: [string, 'name'],
  href: [address, (group, links) => links.record('groups', group.id)],
  links: [
    linksTo(['tickets', 'agents']),
    ({ id: group }, links) => ({
      tickets: { href: links.ticketsOfGroup(group) },
      agents: { href: links.agentsOfGroup(group) },
    }),
  ],
  id: [id, 'id'],
  created_at: [time, 'createdAt'],
  updated_at: [time, 'updatedAt'],
  members: [{ type: 'array', items: string, description: 'E-mails of the agents in it, in order.' }, 'members'],
});
