import { randomInt } from 'node:crypto';
import { InvalidField } from './errors.js';

/** `+42.…` of a ticket, `+b.…` of a Return-Path and `+a42.…` of an agent. Links and markup may encode the signs. */
const TOKEN =
  /(?:\+|%2b|&#(?:43|x2b);)(?:(?:[1-9]\d{0,8}|b)\.[0-9a-v]{16}|a[1-9]\d{0,8}\.[0-9a-v]{24})(@|%40|&#(?:64|x40);)/gi;

/** Removes the tokens from an address or from the addresses in a text, because a token allows writing to its ticket. */
export const withoutTokens = (text: string): string => text.replaceAll(TOKEN, '$1');

export const isSignedForm = (email: string): boolean => withoutTokens(email) !== email;

/** Email to such a mailbox would go to the account that signed the address. */
export function refuseSignedForm(email: string): void {
  if (isSignedForm(email))
    throw new InvalidField(
      'email',
      'reserved_address',
      `${email} has the form of a signed reply address, which no mailbox can have. Choose another address.`,
    );
}

export function ticketTokenIn(address: string): { readonly number: number | null; readonly signature: string } {
  const [, number, signature = ''] = /\+([1-9]\d{0,8})\.([0-9a-v]{16})@[^@]*$/i.exec(address) ?? [];
  return { number: number === undefined ? null : Number(number), signature: signature.toLowerCase() };
}

export function agentTokenIn(address: string) {
  const [, number, route = '', signature = ''] =
    /\+a([1-9]\d{0,8})\.([0-9a-v]{8})([0-9a-v]{16})@[^@]*$/i.exec(address) ?? [];
  if (number === undefined) return null;
  return { number: Number(number), route: route.toLowerCase(), signature: signature.toLowerCase() };
}

export const returnTokenIn = (address: string): string | null =>
  /\+b\.([0-9a-v]{16})@[^@]*$/i.exec(address)?.[1]?.toLowerCase() ?? null;

export function withTag(email: string, tag: string): string {
  const at = email.lastIndexOf('@');
  return `${email.slice(0, at)}+${tag}${email.slice(at)}`;
}

/** Lower case, because servers may change the case. */
const DIGITS = '0123456789abcdefghijklmnopqrstuv';
/** A local part has at most 64 characters. */
const TOKEN_LENGTH = 16;

export const newReturnToken = (): string =>
  Array.from({ length: TOKEN_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');

export const writtenSignature = (bytes: Buffer): string =>
  Array.from(bytes.subarray(0, TOKEN_LENGTH), (byte) => DIGITS[byte % DIGITS.length]).join('');
