import { AGENT_ROLES, AGENT_STATES, type Agent, type Customer, type Group } from '#libs/entities';
import * as json from './json-schema.js';
import { recordPayload } from './record-payload.js';

const FIRST_NAME = json.text('First name, or an empty text.');
const LAST_NAME = json.text('Last name, or an empty text.');

/** Section 2.6 of the specification in its order, then our own fields. */
export const agentPayload = recordPayload<Agent>('A member of the support team.', {
  email: [json.text('Email that the agent signs in with.'), 'email'],
  first_name: [FIRST_NAME, 'firstName'],
  last_name: [LAST_NAME, 'lastName'],
  href: [json.href, (agent, links) => links.agent(agent.email)],
  links: [
    json.linksTo(['tickets', 'groups']),
    (agent, links) => ({
      tickets: { href: links.ticketsOfAgent(agent.email) },
      groups: { href: links.groupsOfAgent(agent.email) },
    }),
  ],
  id: [json.id, 'id'],
  role: [json.oneOf(AGENT_ROLES, 'What the agent may do. Owners and admins manage the account.'), 'role'],
  state: [json.oneOf(AGENT_STATES, '`invited`: has not signed in yet. `archived`: can no longer sign in.'), 'state'],
  signature: [json.text('Signature appended to the agent’s replies by email.'), 'signature'],
});

export const groupPayload = recordPayload<Group>('A group of agents that tickets can be assigned to.', {
  name: [json.text('Name of the group, unique in the account.'), 'name'],
  href: [json.href, (group, links) => links.record('groups', group.id)],
  links: [
    json.linksTo(['tickets', 'agents']),
    ({ id: group }, links) => ({
      tickets: { href: links.ticketsOfGroup(group) },
      agents: { href: links.agentsOfGroup(group) },
    }),
  ],
  id: [json.id, 'id'],
  created_at: [json.createdAt, 'createdAt'],
  updated_at: [json.updatedAt, 'updatedAt'],
  members: [json.listOf(json.string, 'Email addresses of the members, sorted.'), 'members'],
});

export const CUSTOM_FIELDS: json.JsonSchema = {
  type: 'object',
  description: 'Custom fields defined by the account.',
  additionalProperties: json.scalar,
  maxProperties: 50,
};

/** Section 2.4 of the specification in its order, then our own fields. */
export const customerPayload = recordPayload<Customer>('A person who contacts support.', {
  href: [json.href, (customer, links) => links.customer(customer.email)],
  links: [
    json.linksTo(['tickets']),
    (customer, links) => ({ tickets: { href: links.ticketsOfCustomer(customer.email) } }),
  ],
  email: [json.text('Email in lower case, unique in the account.'), 'email'],
  first_name: [FIRST_NAME, 'firstName'],
  last_name: [LAST_NAME, 'lastName'],
  about: [json.nullableText('Notes about the customer.'), 'about'],
  twitter_username: [json.nullableText('Twitter username.'), 'twitterUsername'],
  title: [json.nullableText('Job title.'), 'title'],
  company_name: [json.nullableText('Name of the company.'), 'companyName'],
  phone_number: [json.nullableText('Telephone number.'), 'phoneNumber'],
  location: [json.nullableText('Location, such as a city.'), 'location'],
  website_url: [json.nullableText('Website of the customer or company.'), 'websiteUrl'],
  linkedin_username: [json.nullableText('LinkedIn username.'), 'linkedinUsername'],
  custom: [CUSTOM_FIELDS, 'custom'],
  id: [json.id, 'id'],
  name: [json.nullableText('First and last name. Null if both are empty.'), (customer) => customer.name()],
  avatar_url: [json.nullableText('Always null. Reserved.'), () => null],
  created_at: [json.createdAt, 'createdAt'],
  updated_at: [json.updatedAt, 'updatedAt'],
  external_id: [json.nullableText('Id of the customer in your system. Unique in the account.'), 'externalId'],
});
