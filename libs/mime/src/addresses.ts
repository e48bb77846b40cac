import addressparser from 'nodemailer/lib/addressparser';
import { decodeWords } from './encoded-words.js';

export interface MailAddress {
  readonly address: string;
  readonly name: string;
}

/** Those in a header. A group stands for its members, and what has no @ is none. */
export function addressesIn(value: string): MailAddress[] {
  const found = parse(value);
  // Some programs encode a name and its address together.
  return found.length > 0 || !value.includes('=?') ? found : parse(decodeWords(value));
}

function parse(value: string): MailAddress[] {
  return addressparser(value, { flatten: true })
    .filter(({ address }) => address?.includes('@'))
    .map(({ address, name }) => ({
      address: address.trim(),
      name: decodeWords(name ?? '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    }));
}
