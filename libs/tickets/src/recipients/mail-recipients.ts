import { type Header, addressesIn } from '#libs/mail';

// The thread that reads mails imports this file, so it must import little.

/** Per field. A mail to more people is an announcement. */
const MAX_READ = 200;

export interface MailRecipients {
  readonly to: readonly string[];
  readonly cc: readonly string[];
  /** Addresses that get no reply: those to which servers delivered the mail, and mailing lists. */
  readonly unanswered: readonly string[];
}

export const recipientsIn = (header: Header): MailRecipients => ({
  to: addressesOf(header.all('to')),
  cc: addressesOf(header.all('cc')),
  unanswered: addressesOf(UNANSWERED.flatMap((name) => header.all(name)).map(withoutScheme)),
});

/** Servers record the original recipient of an alias or a forwarded mail here. */
const UNANSWERED = ['delivered-to', 'x-original-to', 'x-envelope-to', 'x-forwarded-to', 'list-post'];

const withoutScheme = (value: string): string => value.replaceAll(/mailto:/gi, '');

const addressesOf = (values: readonly string[]): string[] =>
  values
    .flatMap((value) => addressesIn(value))
    .slice(0, MAX_READ)
    .map(({ address }) => address.toLowerCase());
