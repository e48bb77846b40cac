import { ConfirmDialog } from '../ui/parts/dialog.js';
import { mailboxPath } from './mailbox-paths.js';
import { MailboxSection, type SectionProps } from './mailbox-section.js';

export function RemovalSection({ mailbox: { id, name }, refused }: SectionProps) {
  return (
    <MailboxSection title="Delete this mailbox" isRefused={refused === 'removal'}>
      <p>A mailbox that holds tickets cannot be deleted: move them first. The last one always stays.</p>
      <div>
        <ConfirmDialog
          id="delete-mailbox"
          title={`Delete ${name}?`}
          action={`${mailboxPath(id)}/delete`}
          verb="Delete"
          what="mailbox"
        >
          <p>Its settings go with it.</p>
        </ConfirmDialog>
      </div>
    </MailboxSection>
  );
}
