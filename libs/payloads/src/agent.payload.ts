import { AGENT_ROLES, AGENT_STATES, type Agent } from '#libs/entities';
import { address, email, id, linksTo, objectSchema, string } from './json-schema.js';
import type { Links } from './links.js';

/** The fields of section 2.6 of the specification in its order, then our own. */
export function agentPayload(agent: Agent, links: Links) {
  return {
    email: agent.email,
    first_name: agent.firstName,
    last_name: agent.lastName,
    href: links.agent(agent.email),
    links: { tickets: { href: links.ticketsOfAgent(agent.email) }, groups: { href: links.groupsOfAgent(agent.email) } },
    id: agent.id,
    role: agent.role,
    state: agent.state,
  };
}

export const agentSchema = objectSchema<ReturnType<typeof agentPayload>>('Somebody who helps.', {
  email,
  first_name: string,
  last_name: string,
  href: address,
  links: linksTo(['tickets', 'groups']),
  id,
  role: { type: 'string', enum: AGENT_ROLES },
  state: { type: 'string', enum: AGENT_STATES },
});
