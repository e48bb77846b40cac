import { InvalidField } from './errors.js';

const MAX_NAME_CHARACTERS = 100;

export function validateName(field: string, text: string): string {
  const name = text.trim();
  if (name === '' || name.length > MAX_NAME_CHARACTERS)
    throw new InvalidField(
      field,
      'invalid_length',
      `The ${field.replaceAll('_', ' ')} must have 1 to ${MAX_NAME_CHARACTERS} characters.`,
    );
  return name;
}
