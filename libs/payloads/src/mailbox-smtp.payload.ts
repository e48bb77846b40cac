import { type MailboxSmtp, SMTP_SECURITIES } from '#libs/entities';
import { address, linksTo, nullableText, oneOf, text, time } from './json-schema.js';
import { recordPayload } from './record-payload.js';

export const mailboxSmtpPayload = recordPayload<MailboxSmtp>('The mail server through which a mailbox sends.', {
  href: [address, ({ id }, links) => `${links.record('mailboxes', id)}/smtp`],
  links: [linksTo(['mailbox']), ({ id }, links) => ({ mailbox: { href: links.record('mailboxes', id) } })],
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
