import { hydrate } from '#libs/database';
import { MailboxSmtp } from '#libs/entities';
import type { MailServer } from '#libs/mail';
import type { SecretBox } from '#libs/secret-box';

/** The mail server of a mailbox, which a row has as `p`. Null for that of the installation. */
export function ownServerIn(row: object, box: SecretBox): MailServer | null {
  const smtp = hydrate(MailboxSmtp, row as Record<string, unknown>, 'p');
  if (!smtp) return null;
  const { id, host, port, security, username, sealed, keyId } = smtp;
  const user = username && sealed && keyId ? { name: username, password: box.open({ sealed, keyId }, id) } : null;
  return { host, port, security, user };
}
