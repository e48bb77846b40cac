import addressparser from 'nodemailer/lib/addressparser';
import type { MailAddress } from '../mail.js';
import { decodeWords } from './encoded-words.js';

/** A group stands for its members. Skips text without @. */
export function addressesIn(value: string): MailAddress[] {
  return addressparser(value, { flatten: true }).flatMap(({ address, name }) => {
    if (address?.includes('@')) return [{ address: address.trim(), name: nameOf(name) }];
    // Some programs encode name and address together.
    return name?.includes('=?') ? inWords(decodeWords(name)) : [];
  });
}

const nameOf = (name: string | undefined): string =>
  decodeWords(name ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();

const inWords = (value: string): MailAddress[] =>
  addressparser(value, { flatten: true }).filter(({ address }) => address?.includes('@'));
