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
import { address, email, id, linksTo, nullableText, oneOf, string, text, time } from './json-schema.js';
import type { Links } from './links.js';
import { recordPayload } from './record-payload.js';

export const mailboxPayload = recordPayload<Mailbox>('Where tickets come in.', {
  name: [string, 'name'],
  email: [email, 'email'],
  href: [address, (mailbox, links) => links.record('mailboxes', mailbox.id)],
  links: [linksTo(['tickets']), (mailbox, links) => ({ tickets: { href: links.ticketsOfMailbox(mailbox.id) } })],
  id: [id, 'id'],
  created_at: [time, 'createdAt'],
  updated_at: [time, 'updatedAt'],
  replies_by_mail: [
    { type: 'boolean', description: 'What agents answer here goes to the customer by mail.' },
    'repliesByMail',
  ],
  authserv_id: [
    nullableText(
      'How the server that receives for it names itself in Authentication-Results. Without it, none of them counts.',
    ),
    'authservId',
  ],
  signature: [text('Below what goes out from it by mail.'), 'signature'],
});

const partOfMailbox = (path: string) =>
  ({
    href: [address, (row: MailboxPart, links: Links) => `${links.record('mailboxes', row.id)}/${path}`],
    links: [
      linksTo(['mailbox']),
      (row: MailboxPart, links: Links) => ({ mailbox: { href: links.record('mailboxes', row.id) } }),
    ],
  }) as const;

type MailboxPart = Pick<Mailbox, 'id'>;

export const mailboxSmtpPayload = recordPayload<MailboxSmtp>('The mail server through which a mailbox sends.', {
  ...partOfMailbox('smtp'),
  host: [text('Its name, or its address.'), 'host'],
  port: [{ type: 'integer', minimum: 1, maximum: 65_535 }, 'port'],
  security: [
    {
      ...oneOf(SMTP_SECURITIES),
      description: 'TLS from the first byte on, before anything is said, or not at all.',
    },
    'security',
  ],
  username: [nullableText('Who signs in there.'), 'username'],
  has_password: [
    { type: 'boolean', description: 'Whether there is a password. It is never shown.' },
    ({ sealed }) => sealed !== null,
  ],
  created_at: [time, 'createdAt'],
  updated_at: [time, 'updatedAt'],
});

const timeOrNull = (description: string) => ({ type: ['string', 'null'], format: 'date-time', description });

export const imapPayload = recordPayload<ImapAccount>('Where a mailbox gets its mail by IMAP.', {
  ...partOfMailbox('imap'),
  host: [string, 'host'],
  port: [{ type: 'integer', minimum: 1, maximum: 65_535 }, 'port'],
  security: [oneOf(IMAP_SECURITIES), 'security'],
  username: [string, 'username'],
  folder: [string, 'folder'],
  sign_in: [oneOf(IMAP_SIGN_INS), 'signIn'],
  token_url: [nullableText('Where the refresh token is changed for an access token.'), 'tokenUrl'],
  client_id: [nullableText('As whom.'), 'clientId'],
  state: [
    {
      ...oneOf(IMAP_STATES),
      description: '`waiting` for its first connection, or for a worker. `failing` is tried again by itself.',
    },
    'state',
  ],
  heard_at: [timeOrNull('When the server last said anything.'), 'heardAt'],
  compared_at: [timeOrNull('When what the server has was last compared with what arrived.'), 'comparedAt'],
  failing_since: [timeOrNull('Since when no connection came to work.'), 'failingSince'],
  last_error: [nullableText('Why the last connection failed, in words.'), 'lastError'],
  created_at: [time, 'createdAt'],
  updated_at: [time, 'updatedAt'],
});

export const imapImportPayload = recordPayload<ImapImport>(
  'An import of the mail that a server had before its mailbox was connected.',
  {
    ...partOfMailbox('imap/import'),
    state: [
      {
        ...oneOf(IMAP_IMPORT_STATES),
        description: '`waiting` for a worker to begin. `failing` is tried again by itself. `stopped` by a person.',
      },
      'state',
    ],
    since: [timeOrNull('Mail from that day on. Null for all.'), 'since'],
    total: [
      { type: ['integer', 'null'], description: 'As many mails as the folder had. Null until they are counted.' },
      'total',
    ],
    done: [{ type: 'integer', description: 'Of these, with those that had arrived before.' }, 'done'],
    last_error: [nullableText('Why the last connection failed, in words.'), 'lastError'],
    started_at: [time, 'startedAt'],
    ended_at: [timeOrNull('When it was done, or stopped.'), 'endedAt'],
  },
);
