import type { Customer } from '#libs/entities';

/** The fields of a customer besides name and e-mail, with their labels. */
export const CUSTOMER_FIELDS = [
  { name: 'title', label: 'Title' },
  { name: 'companyName', label: 'Company' },
  { name: 'phoneNumber', label: 'Phone' },
  { name: 'location', label: 'Location' },
  { name: 'websiteUrl', label: 'Website' },
  { name: 'twitterUsername', label: 'Twitter' },
  { name: 'linkedinUsername', label: 'LinkedIn' },
  { name: 'about', label: 'About' },
] as const satisfies readonly { name: keyof Customer; label: string }[];

export const customerPath = (email: string): string => `/customers/${encodeURIComponent(email)}`;
