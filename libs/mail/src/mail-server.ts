import type { MailboxSmtp } from '#libs/entities';

/** Through which a mail goes out when not through the installation’s. Somebody outside named it. */
export interface MailServer extends Pick<MailboxSmtp, 'host' | 'port' | 'security'> {
  readonly user: { readonly name: string; readonly password: string } | null;
}
