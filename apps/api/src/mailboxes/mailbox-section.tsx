import type { ImapAccount, ImapImport, Mailbox, MailboxSmtp } from '#libs/entities';
import type { MailboxCheckProgress } from '#libs/mailboxes';
import type { ComponentChildren } from 'preact';
import { usePageContext } from '../layers/ui/page-context.js';
import { choicesOf } from '../layers/ui/parts/fields.js';
import { FormAlert } from '../layers/ui/parts/form.js';

export const mailboxPath = (id: string): string => `/settings/mailboxes/${id}`;

export const REPLIES = choicesOf({ true: 'On', false: 'Off' });

export const SECURITIES = choicesOf({ tls: 'TLS', starttls: 'STARTTLS', none: 'None' });

export type MailboxSectionName = 'address' | 'imap' | 'signature' | 'smtp' | 'sender-checks' | 'test' | 'removal';

export interface SectionProps {
  readonly mailbox: Mailbox;
  readonly imap: ImapAccount | null;
  readonly older: ImapImport | null;
  /** Null if it sends through the server of the installation. */
  readonly smtp: MailboxSmtp | null;
  readonly test: MailboxCheckProgress | null;
  /** A trial keeps its outgoing email instead of sending it. */
  readonly isCaught: boolean;
  /** The section that shows the errors and the typed values. */
  readonly refused?: MailboxSectionName | undefined;
}

/** Lists field errors above the form, because several sections have fields of the same name. */
export function MailboxSection(props: { title: string; isRefused: boolean; children: ComponentChildren }) {
  const { title, isRefused, children } = props;
  const { faults } = usePageContext().form;
  return (
    <section class="card stack" aria-label={title}>
      <h2>{title}</h2>
      {isRefused && <FormAlert />}
      {isRefused && faults.map(({ field, message }) => <p class="fault" key={field}>{`${field}: ${message}`}</p>)}
      {children}
    </section>
  );
}

export function useFieldValues<T extends Readonly<Record<string, string>>>(saved: T, isRefused: boolean): T {
  const { values } = usePageContext().form;
  return isRefused ? { ...saved, ...values } : saved;
}
