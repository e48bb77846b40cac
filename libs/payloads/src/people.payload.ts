import { AGENT_ROLES, AGENT_STATES, type Agent, type Customer, type Group } from '#libs/entities';
import {
  type JsonSchema,
  address,
  email,
  id,
  linksTo,
  nullableText,
  oneOf,
  string,
  text,
  time,
} from './json-schema.js';
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

const CUSTOM_FIELDS: JsonSchema = {
  type: 'object',
  description: 'Fields of the account’s own.',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  maxProperties: 50,
};

/** Section 2.4 of the specification in its order, then our own fields. */
export const customerPayload = recordPayload<Customer>('Somebody who asks for help.', {
  href: [address, (customer, links) => links.customer(customer.email)],
  links: [linksTo(['tickets']), (customer, links) => ({ tickets: { href: links.ticketsOfCustomer(customer.email) } })],
  email: [email, 'email'],
  first_name: [string, 'firstName'],
  last_name: [string, 'lastName'],
  about: [nullableText(), 'about'],
  twitter_username: [nullableText(), 'twitterUsername'],
  title: [nullableText(), 'title'],
  company_name: [nullableText(), 'companyName'],
  phone_number: [nullableText(), 'phoneNumber'],
  location: [nullableText(), 'location'],
  website_url: [nullableText(), 'websiteUrl'],
  linkedin_username: [nullableText(), 'linkedinUsername'],
  custom: [CUSTOM_FIELDS, 'custom'],
  id: [id, 'id'],
  name: [nullableText('First and last name; null when neither is known.'), (customer) => customer.name()],
  avatar_url: [nullableText(), () => null],
  created_at: [time, 'createdAt'],
  updated_at: [time, 'updatedAt'],
});
