import type { Group } from '#libs/entities';
import type { Links } from './links.js';

export function groupPayload(group: Group, links: Links) {
  return {
    name: group.name,
    href: links.group(group.id),
    links: { tickets: { href: links.ticketsOfGroup(group.id) }, agents: { href: links.agentsOfGroup(group.id) } },
    id: group.id,
    created_at: group.createdAt.toISOString(),
    updated_at: group.updatedAt.toISOString(),
  };
}
