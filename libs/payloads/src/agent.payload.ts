import { AGENT_ROLES, AGENT_STATES, type Agent } from '#libs/entities';
import { address, email, id, linksTo, oneOf, string, text } from './json-schema.js';
import { recordPayload } from './record-payload.js';

/** Section 2.6 of the specification in its order, then our own fields. */
export const agentPayload = recordPayload<Agent>('Somebody who helps.', {
  email: [email, 'email'],
  first_name: [string, 'firstName'],
  last_name: [string, 'lastName'],
  href: [address, (agent, links) => links.agent(agent.email)],
  links: [
    linksTo(['tickets', 'groups']),
    (agent, links) => ({
      tickets: { href: links.ticketsOfAgent(agent.email) },
      groups: { href: links.groupsOfAgent(agent.email) },
    }),
  ],
  id: [id, 'id'],
  role: [oneOf(AGENT_ROLES), 'role'],
  state: [oneOf(AGENT_STATES), 'state'],
  signature: [text('Below their replies in mails.'), 'signature'],
});
