import type { Group } from '#libs/entities';
import { address, id, linksTo, objectSchema, string, time } from './json-schema.js';
import type { Links } from './links.js';

export function groupPayload(group: Group, links: Links) {
  return {
    name: group.name,
    href: links.record('groups', group.id),
    links: { tickets: { href: links.ticketsOfGroup(group.id) }, agents: { href: links.agentsOfGroup(group.id) } },
    id: group.id,
    created_at: group.createdAt.toISOString(),
    updated_at: group.updatedAt.toISOString(),
  };
}

export const groupSchema = objectSchema<ReturnType<typeof groupPayload>>(
  'Agents to whom tickets can be assigned together.',
  {
    name: string,
    href: address,
    links: linksTo(['tickets', 'agents']),
    id,
    created_at: time,
    updated_at: time,
  },
);
