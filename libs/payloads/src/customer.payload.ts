import type { Customer } from '#libs/entities';
import type { Links } from './links.js';

/** Section 2.4 of the specification first and in its order; ours after. */
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
