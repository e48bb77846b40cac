import { PageLayout } from '../shell/shell.js';
import { AddressSection } from './address-section.js';
import { ImapSection } from './imap-section.js';
import type { SectionProps } from './mailbox-section.js';
import { SenderChecksSection } from './sender-checks-section.js';
import { SignatureSection } from './signature-section.js';
import { SmtpSection } from './smtp-section.js';
import { TestSection } from './test-section.js';
import { RemovalSection } from './removal-section.js';

/** All that is set up for one mailbox, a section for each matter. */
export function MailboxPage(props: SectionProps) {
  const { id, name, email } = props.mailbox;
  return (
    <PageLayout
      title={name}
      narrow
      watch={`mailbox=${id}`}
      intro={
        <>
          <a href="/settings/mailboxes">Mailboxes</a> · {email}
        </>
      }
    >
      <AddressSection {...props} />
      <ImapSection {...props} />
      <SignatureSection {...props} />
      <SmtpSection {...props} />
      <SenderChecksSection {...props} />
      <TestSection {...props} />
      <RemovalSection {...props} />
    </PageLayout>
  );
}
