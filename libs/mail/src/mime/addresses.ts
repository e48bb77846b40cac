import addressparser from 'nodemailer/lib/addressparser';
import { decodeWords } from './encoded-words.js';

export interface MailAddress {
  readonly address: string;
  readonly name: string;
}

/** Parses the addresses in a header. A group stands for its members, and text without @ is skipped. */
export function addressesIn(value: string): MailAddress[] {
  return addressparser(value, { flatten: true }).flatMap(({ address, name }) => {
    if (address?.includes('@')) return [{ address: address.trim(), name: nameOf(name) }];
    // Some programs encode a name and its address together.
    return name?.includes('=?') ? inWords(decodeWords(name)) : [];
  });
}

const nameOf = (name: string | undefined): string =>
  decodeWords(name ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const inWords = (value: string): MailAddress[] =>
  addressparser(value, { flatten: true }).filter(({ address }) => address?.includes('@'));
