import type { CustomFields, Customer } from '#libs/entities';
import type { Form } from '../../pages/form.js';
import { typedText } from '../forms.js';
import { CUSTOMER_FIELDS } from './customer-fields.js';

/** What stands in the form: text throughout, under the names of the API. */
export interface CustomerTyped {
  readonly values: Readonly<Record<string, string>>;
  readonly custom: readonly (readonly [name: string, value: string])[];
}

export const wireName = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const NAMES = ['email', 'first_name', 'last_name', ...CUSTOMER_FIELDS.map(({ name }) => wireName(name))];

export const nothingTyped: CustomerTyped = { values: {}, custom: [] };

export function customerTyped(customer: Customer): CustomerTyped {
  const { email, firstName, lastName, custom } = customer;
  const fields = CUSTOMER_FIELDS.map(({ name }) => [wireName(name), customer[name] ?? '']);
  return {
    values: { email, first_name: firstName, last_name: lastName, ...Object.fromEntries(fields) },
    custom: Object.entries(custom).map(([name, value]) => [name, String(value)]),
  };
}

export function typedOf(form: Form): CustomerTyped {
  const rows = form.value('custom');
  const custom = Array.isArray(rows) ? rows.map((row: Readonly<Record<string, unknown>>) => rowOf(row)) : [];
  return { values: form.texted(...NAMES), custom: custom.filter(([name]) => name !== '') };
}

const rowOf = ({ name, value }: Readonly<Record<string, unknown>>): [string, string] => [
  typeof name === 'string' ? name : '',
  typeof value === 'string' ? value : '',
];

/** An empty field clears. A custom value that was not touched keeps its kind: a form knows text only. */
export function wireOf({ values, custom }: CustomerTyped, before: CustomFields = {}): object {
  const fields = Object.entries(values).map(([name, value]) => [name, value === '' ? null : typedText(value)]);
  const kept = custom.map(([name, value]) => [name, String(before[name]) === value ? before[name] : value]);
  return { ...Object.fromEntries(fields), custom: Object.fromEntries(kept) as CustomFields };
}
