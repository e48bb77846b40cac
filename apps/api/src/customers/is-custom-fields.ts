import type { CustomFields } from '#libs/entities';
import { ValidateBy } from 'class-validator';

const MAX_KEYS = 50;
const MAX_BYTES = 8 * 1024;

/** The custom fields of an account: a flat object of plain values. */
export const IsCustomFields = () =>
  ValidateBy({
    name: 'isCustom',
    constraints: [MAX_KEYS],
    validator: { validate: isCustom },
  });

function isCustom(value: unknown): value is CustomFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const values = Object.values(value);
  return (
    values.length <= MAX_KEYS &&
    values.every((part) => part === null || ['string', 'number', 'boolean'].includes(typeof part)) &&
    Buffer.byteLength(JSON.stringify(value)) <= MAX_BYTES
  );
}
