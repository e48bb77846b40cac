import { randomInt } from 'node:crypto';
import { Signatures } from '#libs/secret-box';
import { SETTINGS_TOKEN, type Settings } from '#libs/settings';
import { Inject, Injectable } from '@nestjs/common';

const PURPOSE = 'deskwire reply addresses';
/** A local part has at most 64 characters. */
const SIGNATURE_LETTERS = 16;
const DIGITS = '0123456789abcdefghijklmnopqrstuv';

const RETURN_TOKEN_LENGTH = 16;

export const newReturnToken = (): string =>
  Array.from({ length: RETURN_TOKEN_LENGTH }, () => DIGITS[randomInt(DIGITS.length)]).join('');

/**
 * `support+42.3k1…@desk.example`. An address allows writing to its ticket, so only its customer and people in Cc get
 * it. Lower case, because servers may change the case.
 */
@Injectable()
export class ReplyAddressesService {
  private readonly signatures: Signatures;

  constructor(@Inject(SETTINGS_TOKEN) settings: Pick<Settings, 'SECRETS_KEY'>) {
    this.signatures = new Signatures(settings.SECRETS_KEY, PURPOSE, writtenSignature);
  }

  of(mailboxEmail: string, accountId: string, ticketNumber: number): string {
    return withTag(mailboxEmail, `${ticketNumber}.${this.signatures.of(signed(accountId, ticketNumber))}`);
  }

  /** `support+b.7c0…@desk.example` */
  forReturns(mailboxEmail: string, returnToken: string): string {
    return withTag(mailboxEmail, `b.${returnToken}`);
  }

  ticketOf(addresses: readonly string[], accountId: string): number | null {
    for (const address of addresses) {
      const { number, signature } = tokenIn(address);
      if (number !== null && this.signatures.isOf(signed(accountId, number), signature)) return number;
    }
    return null;
  }
}

export function withoutToken(address: string): string {
  const at = address.lastIndexOf('@');
  const plus = address.lastIndexOf('+', at);
  const isOurs = tokenIn(address).number !== null || returnTokenIn(address) !== null || agentTokenIn(address) !== null;
  return plus > 0 && isOurs ? `${address.slice(0, plus)}${address.slice(at)}` : address;
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

function tokenIn(address: string): { number: number | null; signature: string } {
  const [, number, signature = ''] = /\+([1-9]\d{0,8})\.([0-9a-v]{16})@[^@]*$/i.exec(address) ?? [];
  return { number: number === undefined ? null : Number(number), signature: signature.toLowerCase() };
}

const signed = (accountId: string, ticketNumber: number): string => `${accountId} ${ticketNumber}`;

export const writtenSignature = (bytes: Buffer): string =>
  Array.from(bytes.subarray(0, SIGNATURE_LETTERS), (byte) => DIGITS[byte % DIGITS.length]).join('');
