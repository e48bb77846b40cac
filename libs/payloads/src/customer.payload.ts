import type { Customer } from '#libs/entities';
import { type JsonSchema, address, email, id, linksTo, nullableText, string, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

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
