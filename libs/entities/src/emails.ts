import { InvalidField } from './errors.js';

const EMAIL = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]{1,253}$/;

export function validateEmail(text: string): string {
  const email = text.trim().toLowerCase();
  if (!EMAIL.test(email)) throw new InvalidField('email', 'invalid_email', `“${text}” is not an email address.`);
  return email;
}
