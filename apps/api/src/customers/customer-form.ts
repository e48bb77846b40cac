import { snakeCase } from '#libs/database';
import type { CustomFields, Customer, ProfileFields } from '#libs/entities';
import { normalizeLineEndings, FormFields } from '../layers/ui/form-fields.js';

type OptionalField = Exclude<keyof ProfileFields, 'email' | 'firstName' | 'lastName' | 'custom' | 'externalId'>;

/** In the order of the form. */
const LABELS: Readonly<Record<OptionalField, string>> = {
  title: 'Title',
  companyName: 'Company',
  phoneNumber: 'Phone',
  location: 'Location',
  websiteUrl: 'Website',
  twitterUsername: 'Twitter',
  linkedinUsername: 'LinkedIn',
  about: 'About',
};

export const CUSTOMER_FIELDS = Object.entries(LABELS).map(([property, label]) => ({
  property: property as OptionalField,
  name: snakeCase(property),
  label,
}));

export const customerPath = (email: string): string => `/customers/${encodeURIComponent(email)}`;

/** For reading: `open_orders: true` is “Open orders: Yes”. */
export function customFact([name, value]: [string, CustomFields[string]]): [label: string, value: string] {
  const label = `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
  return [label, typeof value === 'boolean' ? (value ? 'Yes' : 'No') : String(value ?? '–')];
}

export interface CustomerFormValues {
  readonly values: Readonly<Record<string, string>>;
  readonly custom: readonly (readonly [name: string, value: string])[];
}

const FIELD_NAMES = ['email', 'first_name', 'last_name', ...CUSTOMER_FIELDS.map(({ name }) => name)];

export function customerFormValues(customer: Customer): CustomerFormValues {
  const { email, firstName, lastName, custom } = customer;
  const fields = CUSTOMER_FIELDS.map(({ name, property }) => [name, customer[property] ?? '']);
  return {
    values: { email, first_name: firstName, last_name: lastName, ...Object.fromEntries(fields) },
    custom: Object.entries(custom).map(([name, value]) => [name, String(value)]),
  };
}

export function readCustomerForm(form: FormFields): CustomerFormValues {
  const rows = form.value('custom');
  const custom = (Array.isArray(rows) ? rows : []).map((row: unknown) => {
    const field = new FormFields(row);
    return [field.text('name'), field.text('value')] as const;
  });
  return { values: form.pick(...FIELD_NAMES), custom: custom.filter(([name]) => name !== '') };
}

/** An empty field clears the value. Unchanged custom values keep their type, which a form cannot express. */
export function toCustomerBody({ values, custom }: CustomerFormValues, before: CustomFields = {}): object {
  const fields = Object.entries(values).map(([name, value]) => [
    name,
    value === '' ? null : normalizeLineEndings(value),
  ]);
  const kept = custom.map(([name, value]) => [name, String(before[name]) === value ? before[name] : value]);
  return { ...Object.fromEntries(fields), custom: Object.fromEntries(kept) as CustomFields };
}
