import type { Customer } from '#libs/entities';
import { address, email, id, linksTo, nullableText, objectSchema, string, time } from './json-schema.js';
import type { Links } from './links.js';

/** The fields of section 2.4 of the specification in its order, then our own. */
export function customerPayload(customer: Customer, links: Links) {
  return {
    href: links.customer(customer.email),
    links: { tickets: { href: links.ticketsOfCustomer(customer.email) } },
    email: customer.email,
    first_name: customer.firstName,
    last_name: customer.lastName,
    about: customer.about,
    twitter_username: customer.twitterUsername,
    title: customer.title,
    company_name: customer.companyName,
    phone_number: customer.phoneNumber,
    location: customer.location,
    website_url: customer.websiteUrl,
    linkedin_username: customer.linkedinUsername,
    custom: customer.custom,
    id: customer.id,
    name: customer.name(),
    avatar_url: null,
    created_at: customer.createdAt.toISOString(),
    updated_at: customer.updatedAt.toISOString(),
  };
}

export const customerSchema = objectSchema<ReturnType<typeof customerPayload>>('Somebody who asks for help.', {
  href: address,
  links: linksTo(['tickets']),
  email,
  first_name: string,
  last_name: string,
  about: nullableText(),
  twitter_username: nullableText(),
  title: nullableText(),
  company_name: nullableText(),
  phone_number: nullableText(),
  location: nullableText(),
  website_url: nullableText(),
  linkedin_username: nullableText(),
  custom: {
    type: 'object',
    description: 'Fields of the account’s own.',
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    maxProperties: 50,
  },
  id,
  name: nullableText('First and last name; null when neither is known.'),
  avatar_url: nullableText(),
  created_at: time,
  updated_at: time,
});
