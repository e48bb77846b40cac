import { InvalidField } from '#libs/entities';

const MIN_PASSWORD_CHARACTERS = 10;
const MAX_PASSWORD_CHARACTERS = 200;

export function validatePassword(password: string): string {
  if (password.length < MIN_PASSWORD_CHARACTERS)
    throw new InvalidField(
      'password',
      'too_short',
      `A password must have at least ${MIN_PASSWORD_CHARACTERS} characters.`,
    );
  if (password.length > MAX_PASSWORD_CHARACTERS)
    throw new InvalidField(
      'password',
      'too_long',
      `A password must have at most ${MAX_PASSWORD_CHARACTERS} characters.`,
    );
  return password;
}
