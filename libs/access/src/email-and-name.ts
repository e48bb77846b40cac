import { InvalidField } from '#libs/entities';

const EMAIL = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]{1,253}$/;

/** In lower case, as it is kept. */
export function validateEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (!EMAIL.test(email)) throw new InvalidField('email', 'invalid_email', `“${text}” is not an e-mail address.`);
  return email;
}

export function validateName(field: string, text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 100)
    throw new InvalidField(field, 'invalid_length', `The ${field.replaceAll('_', ' ')} must have 1 to 100 characters.`);
  return name;
}
