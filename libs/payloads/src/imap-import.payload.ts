import { IMAP_IMPORT_STATES, type ImapImport } from '#libs/entities';
import { address, linksTo, nullableText, oneOf, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

const timeOrNull = (description: string) => ({ type: ['string', 'null'], format: 'date-time', description });

export const imapImportPayload = recordPayload<ImapImport>(
  'An import of the mail that a server had before its mailbox was connected.',
  {
    href: [address, ({ id }, links) => `${links.record('mailboxes', id)}/imap/import`],
    links: [linksTo(['mailbox']), ({ id }, links) => ({ mailbox: { href: links.record('mailboxes', id) } })],
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
