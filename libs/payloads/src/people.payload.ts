import { AGENT_ROLES, AGENT_STATES, type Agent, type Customer, type Group } from '#libs/entities';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';

/** Section 2.6 of the specification in its order, then our own fields. */
export const agentPayload = recordPayload<Agent>('Somebody who helps.', {
  email: [json.email, 'email'],
  first_name: [json.string, 'firstName'],
  last_name: [json.string, 'lastName'],
  href: [json.address, (agent, links) => links.agent(agent.email)],
  links: [
    json.linksTo(['tickets', 'groups']),
    (agent, links) => ({
      tickets: { href: links.ticketsOfAgent(agent.email) },
      groups: { href: links.groupsOfAgent(agent.email) },
    }),
  ],
  id: [json.id, 'id'],
  role: [json.oneOf(AGENT_ROLES), 'role'],
  state: [json.oneOf(AGENT_STATES), 'state'],
  signature: [json.text('Below their replies in mails.'), 'signature'],
});

export const groupPayload = recordPayload<Group>('Agents to whom tickets can be assigned together.', {
  name: [json.string, 'name'],
  href: [json.address, (group, links) => links.record('groups', group.id)],
  links: [
    json.linksTo(['tickets', 'agents']),
    ({ id: group }, links) => ({
      tickets: { href: links.ticketsOfGroup(group) },
      agents: { href: links.agentsOfGroup(group) },
    }),
  ],
  id: [json.id, 'id'],
  created_at: [json.time, 'createdAt'],
  updated_at: [json.time, 'updatedAt'],
  members: [json.listOf(json.string, 'E-mails of the agents in it, in order.'), 'members'],
});

const CUSTOM_FIELDS: json.JsonSchema = {
  type: 'object',
  description: 'Fields of the account’s own.',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  maxProperties: 50,
};

/** Section 2.4 of the specification in its order, then our own fields. */
export const customerPayload = recordPayload<Customer>('Somebody who asks for help.', {
  href: [json.address, (customer, links) => links.customer(customer.email)],
  links: [
    json.linksTo(['tickets']),
    (customer, links) => ({ tickets: { href: links.ticketsOfCustomer(customer.email) } }),
  ],
  email: [json.email, 'email'],
  first_name: [json.string, 'firstName'],
  last_name: [json.string, 'lastName'],
  about: [json.nullableText(), 'about'],
  twitter_username: [json.nullableText(), 'twitterUsername'],
  title: [json.nullableText(), 'title'],
  company_name: [json.nullableText(), 'companyName'],
  phone_number: [json.nullableText(), 'phoneNumber'],
  location: [json.nullableText(), 'location'],
  website_url: [json.nullableText(), 'websiteUrl'],
  linkedin_username: [json.nullableText(), 'linkedinUsername'],
  custom: [CUSTOM_FIELDS, 'custom'],
  id: [json.id, 'id'],
  name: [json.nullableText('First and last name; null when neither is known.'), (customer) => customer.name()],
  avatar_url: [json.nullableText(), () => null],
  created_at: [json.time, 'createdAt'],
  updated_at: [json.time, 'updatedAt'],
});
