import { IMAP_SECURITIES, IMAP_SIGN_INS, IMAP_STATES, type ImapAccount } from '#libs/entities';
import { address, linksTo, nullableText, oneOf, string, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

const timeOrNull = (description: string) => ({ type: ['string', 'null'], format: 'date-time', description });

export const imapPayload = recordPayload<ImapAccount>('Where a mailbox gets its mail by IMAP.', {
  href: [address, ({ id }, links) => `${links.record('mailboxes', id)}/imap`],
  links: [linksTo(['mailbox']), ({ id }, links) => ({ mailbox: { href: links.record('mailboxes', id) } })],
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
