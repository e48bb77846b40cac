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

export const mailboxPayload = recordPayload<Mailbox>('Where tickets come in.', {
  name: [json.string, 'name'],
  email: [json.email, 'email'],
  href: [json.address, (mailbox, links) => links.record('mailboxes', mailbox.id)],
  links: [json.linksTo(['tickets']), (mailbox, links) => ({ tickets: { href: links.ticketsOfMailbox(mailbox.id) } })],
  id: [json.id, 'id'],
  created_at: [json.time, 'createdAt'],
  updated_at: [json.time, 'updatedAt'],
  replies_by_mail: [json.flag('What agents answer here goes to the customer by mail.'), 'repliesByMail'],
  authserv_id: [
    json.nullableText(
      'How the server that receives for it names itself in Authentication-Results. Without it, none of them counts.',
    ),
    'authservId',
  ],
  signature: [json.text('Below what goes out from it by mail.'), 'signature'],
});

const partOfMailbox = (path: string) =>
  ({
    href: [json.address, (row: MailboxPart, links: Links) => `${links.record('mailboxes', row.id)}/${path}`],
    links: [
      json.linksTo(['mailbox']),
      (row: MailboxPart, links: Links) => ({ mailbox: { href: links.record('mailboxes', row.id) } }),
    ],
  }) as const;

type MailboxPart = Pick<Mailbox, 'id'>;

export const mailboxSmtpPayload = recordPayload<MailboxSmtp>('The mail server through which a mailbox sends.', {
  ...partOfMailbox('smtp'),
  host: [json.text('Its name, or its address.'), 'host'],
  port: [{ type: 'integer', minimum: 1, maximum: 65_535 }, 'port'],
  security: [
    json.oneOf(SMTP_SECURITIES, 'TLS from the first byte on, before anything is said, or not at all.'),
    'security',
  ],
  username: [json.nullableText('Who signs in there.'), 'username'],
  has_password: [json.flag('Whether there is a password. It is never shown.'), ({ sealed }) => sealed !== null],
  created_at: [json.time, 'createdAt'],
  updated_at: [json.time, 'updatedAt'],
});

export const imapPayload = recordPayload<ImapAccount>('Where a mailbox gets its mail by IMAP.', {
  ...partOfMailbox('imap'),
  host: [json.string, 'host'],
  port: [{ type: 'integer', minimum: 1, maximum: 65_535 }, 'port'],
  security: [json.oneOf(IMAP_SECURITIES), 'security'],
  username: [json.string, 'username'],
  folder: [json.string, 'folder'],
  sign_in: [json.oneOf(IMAP_SIGN_INS), 'signIn'],
  token_url: [json.nullableText('Where the refresh token is changed for an access token.'), 'tokenUrl'],
  client_id: [json.nullableText('As whom.'), 'clientId'],
  state: [
    json.oneOf(IMAP_STATES, '`waiting` for its first connection, or for a worker. `failing` is tried again by itself.'),
    'state',
  ],
  last_response_at: [json.timeOrNull('Last response of the server.'), 'lastResponseAt'],
  compared_at: [json.timeOrNull('When what the server has was last compared with what arrived.'), 'comparedAt'],
  failing_since: [json.timeOrNull('Since when no connection came to work.'), 'failingSince'],
  last_error: [json.nullableText('Why the last connection failed, in words.'), 'lastError'],
  created_at: [json.time, 'createdAt'],
  updated_at: [json.time, 'updatedAt'],
});

export const imapImportPayload = recordPayload<ImapImport>(
  'An import of the mail that a server had before its mailbox was connected.',
  {
    ...partOfMailbox('imap/import'),
    state: [
      json.oneOf(
        IMAP_IMPORT_STATES,
        '`waiting` for a worker to begin. `failing` is tried again by itself. `stopped` by a person.',
      ),
      'state',
    ],
    since: [json.timeOrNull('Mail from that day on. Null for all.'), 'since'],
    total: [json.integerOrNull('As many mails as the folder had. Null until they are counted.'), 'total'],
    done: [json.integer('Of these, with those that had arrived before.'), 'done'],
    last_error: [json.nullableText('Why the last connection failed, in words.'), 'lastError'],
    started_at: [json.time, 'startedAt'],
    ended_at: [json.timeOrNull('When it was done, or stopped.'), 'endedAt'],
  },
);
