import {
  IMAP_IMPORT_STATES,
  IMAP_SECURITIES,
  IMAP_SIGN_INS,
  IMAP_STATES,
  type ImapAccount,
  type ImapImport,
  type Mailbox,
  type MailboxSmtp,
  SMTP_SECURITIES,
} from '#libs/entities';
import * as json from './json-schema.js';
import type { Links } from './links.js';
import { recordPayload } from './record-payload.js';

export const mailboxPayload = recordPayload<Mailbox>('An address that customers write to.', {
  name: [json.text('Name of the mailbox, unique in the account.'), 'name'],
  email: [json.text('The address that customers write to.'), 'email'],
  href: [json.href, (mailbox, links) => links.record('mailboxes', mailbox.id)],
  links: [json.linksTo(['tickets']), (mailbox, links) => ({ tickets: { href: links.ticketsOfMailbox(mailbox.id) } })],
  id: [json.id, 'id'],
  created_at: [json.createdAt, 'createdAt'],
  updated_at: [json.updatedAt, 'updatedAt'],
  replies_by_mail: [json.flag('Whether replies of agents are emailed to the customer.'), 'repliesByMail'],
  authserv_id: [
    json.nullableText('`authserv-id` of your mail server. If null, Authentication-Results headers are ignored.'),
    'authservId',
  ],
  signature: [json.text('Signature appended to outgoing email.'), 'signature'],
});

const PORT: json.JsonSchema = { type: 'integer', minimum: 1, maximum: 65_535, description: 'Port of the server.' };
const SECURITY = '`tls`: implicit TLS. `starttls`: upgrade before sign-in. `none`: unencrypted.';

const partOfMailbox = (path: string) =>
  ({
    href: [json.href, (row: MailboxPart, links: Links) => `${links.record('mailboxes', row.id)}/${path}`],
    links: [
      json.linksTo(['mailbox']),
      (row: MailboxPart, links: Links) => ({ mailbox: { href: links.record('mailboxes', row.id) } }),
    ],
  }) as const;

type MailboxPart = Pick<Mailbox, 'id'>;

export const mailboxSmtpPayload = recordPayload<MailboxSmtp>('The outgoing mail server of a mailbox.', {
  ...partOfMailbox('smtp'),
  host: [json.text('Host name or IP address.'), 'host'],
  port: [PORT, 'port'],
  security: [json.oneOf(SMTP_SECURITIES, SECURITY), 'security'],
  username: [json.nullableText('User name for sign-in.'), 'username'],
  has_password: [json.flag('Whether a password is stored. It is never returned.'), ({ sealed }) => sealed !== null],
  created_at: [json.createdAt, 'createdAt'],
  updated_at: [json.updatedAt, 'updatedAt'],
});

export const imapPayload = recordPayload<ImapAccount>('The IMAP settings and state of a mailbox.', {
  ...partOfMailbox('imap'),
  host: [json.text('Host name of the server.'), 'host'],
  port: [PORT, 'port'],
  security: [json.oneOf(IMAP_SECURITIES, SECURITY), 'security'],
  username: [json.text('User name for sign-in.'), 'username'],
  folder: [json.text('The folder that email is fetched from.'), 'folder'],
  sign_in: [json.oneOf(IMAP_SIGN_INS, 'With a password, or by OAuth (XOAUTH2).'), 'signIn'],
  token_url: [json.nullableText('OAuth token endpoint.'), 'tokenUrl'],
  client_id: [json.nullableText('OAuth client ID.'), 'clientId'],
  state: [
    json.oneOf(IMAP_STATES, '`waiting`: not connected yet. `failing`: the last connection failed and will be retried.'),
    'state',
  ],
  last_response_at: [json.timeOrNull('Last response from the server.'), 'lastResponseAt'],
  compared_at: [json.timeOrNull('Last check for missed mail.'), 'comparedAt'],
  failing_since: [json.timeOrNull('Start of the current outage.'), 'failingSince'],
  last_error: [json.nullableText('Why the last connection failed.'), 'lastError'],
  created_at: [json.createdAt, 'createdAt'],
  updated_at: [json.updatedAt, 'updatedAt'],
});

export const imapImportPayload = recordPayload<ImapImport>('An import of mail from before the mailbox was connected.', {
  ...partOfMailbox('imap/import'),
  state: [
    json.oneOf(
      IMAP_IMPORT_STATES,
      '`waiting`: not started yet. `failing`: will be retried. `stopped`: stopped by hand.',
    ),
    'state',
  ],
  since: [json.timeOrNull('Imports mail from this day on. Null for all mail.'), 'since'],
  total: [json.integerOrNull('Number of emails in the folder. Null until they are counted.'), 'total'],
  done: [json.integer('Number of emails processed, including duplicates.'), 'done'],
  last_error: [json.nullableText('Why the last connection failed.'), 'lastError'],
  started_at: [json.timeOf('When the import was requested.'), 'startedAt'],
  ended_at: [json.timeOrNull('When the import finished or was stopped.'), 'endedAt'],
});
