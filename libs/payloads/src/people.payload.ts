import { AGENT_ROLES, AGENT_STATES, type Agent, type Customer, type Group } from '#libs/entities';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';

/** Section 2.6 of the specification in its order, then our own fields. */
export const agentPayload = recordPayload<Agent>('A member of the support team.', {
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
  signature: [json.text('Signature appended to the agent’s replies by email.'), 'signature'],
});

export const groupPayload = recordPayload<Group>('A group of agents that tickets can be assigned to.', {
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
  members: [json.listOf(json.string, 'Email addresses of the members, sorted.'), 'members'],
});

export const CUSTOM_FIELDS: json.JsonSchema = {
  type: 'object',
  description: 'Custom fields defined by the account.',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  maxProperties: 50,
};

/** Section 2.4 of the specification in its order, then our own fields. */
export const customerPayload = recordPayload<Customer>('A person who contacts support.', {
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
  name: [json.nullableText('First and last name. Null if both are empty.'), (customer) => customer.name()],
  avatar_url: [json.nullableText(), () => null],
  created_at: [json.time, 'createdAt'],
  updated_at: [json.time, 'updatedAt'],
  external_id: [json.nullableText('Id of the customer in your system. Unique in the account.'), 'externalId'],
});
