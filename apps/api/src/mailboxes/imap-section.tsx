import type { ImapAccount } from '#libs/entities';
import { ConfirmDialog } from '../ui/parts/dialog.js';
import { LabelledInput, LabelledSelect } from '../ui/parts/fields.js';
import { ActionButton, Form } from '../ui/parts/form.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { ImportPart } from './import-part.js';
import { imapPath } from './mailbox-paths.js';
import { MailboxSection, type SectionProps, useFieldValues } from './mailbox-section.js';

const SECURITIES = [
  { value: 'tls', label: 'TLS' },
  { value: 'starttls', label: 'STARTTLS' },
  { value: 'none', label: 'None' },
];

const NEW = { host: '', port: '993', security: 'tls', username: '', folder: 'INBOX' };

/** Where its mail is fetched, and how that goes. */
export function ImapSection({ mailbox: { id }, imap, older, refused }: SectionProps) {
  return (
    <MailboxSection title="Mail by IMAP" isRefused={refused === 'imap'}>
      {imap ? (
        <ImapState id={id} imap={imap} />
      ) : (
        <p>Mail can be fetched from a mail server. What is there stays there.</p>
      )}
      {imap?.signIn === 'oauth' ? (
        <p>It signs in by OAuth at {imap.host}. That is set up over the API.</p>
      ) : (
        <ImapForm id={id} imap={imap} isRefused={refused === 'imap'} />
      )}
      {imap && <ImportPart imap={imap} older={older} />}
    </MailboxSection>
  );
}

function ImapState({ id, imap }: { id: string; imap: ImapAccount }) {
  return (
    <>
      <p role="status">
        <StateWords imap={imap} />
      </p>
      <div class="actions">
        {imap.paused ? (
          <ActionButton to={imapPath(id, 'resume')} label="Resume" />
        ) : (
          <ActionButton to={imapPath(id, 'pause')} label="Pause" />
        )}
        <ActionButton to={imapPath(id, 'rescan')} label="Look for missed mail" />
        <ConfirmDialog
          id="remove-imap"
          title="Fetch no more mail?"
          action={imapPath(id, 'delete')}
          verb="Remove"
          what="IMAP settings"
        >
          <p>What has arrived stays. When it is set up again, it starts with the mail that comes then.</p>
        </ConfirmDialog>
      </div>
    </>
  );
}

function StateWords({ imap }: { imap: ImapAccount }) {
  const { state, heardAt, failingSince, lastError } = imap;
  const heard = heardAt ? (
    <>
      The server was last heard from <RelativeTime at={heardAt} />.
    </>
  ) : (
    'The server was never heard from.'
  );
  if (state === 'paused') return <>Paused: nothing is fetched. {heard}</>;
  if (state === 'connected') return <>Connected. {heard}</>;
  if (state === 'waiting') return <>Waiting for a worker to connect. {heard}</>;
  return (
    <>
      No connection has worked since <RelativeTime at={failingSince!} />. {lastError} It is tried again by itself.{' '}
      {heard}
    </>
  );
}

const savedIn = ({ host, port, security, username, folder }: ImapAccount) => ({
  host,
  port: String(port),
  security: security as string,
  username,
  folder,
});

interface ImapFormProps {
  readonly id: string;
  readonly imap: ImapAccount | null;
  readonly isRefused: boolean;
}

function ImapForm({ id, imap, isRefused }: ImapFormProps) {
  const { host, port, security, username, folder } = useFieldValues(imap ? savedIn(imap) : NEW, isRefused);
  return (
    <Form action={imapPath(id)} class="stack" label="Mail by IMAP" autocomplete="off">
      <div class="pair">
        <LabelledInput label="Server" name="host" value={host} />
        <LabelledInput label="Port" name="port" value={port} />
        <LabelledSelect label="Encryption" name="security" choices={SECURITIES} chosen={security} />
      </div>
      <div class="pair">
        <LabelledInput label="User" name="username" value={username} />
        <label class="field">
          Password
          <input
            name="password"
            type="password"
            autocomplete="new-password"
            placeholder={imap ? 'unchanged' : undefined}
            required={!imap}
          />
        </label>
        <LabelledInput label="Folder" name="folder" value={folder} />
      </div>
      <div>
        <button type="submit">Save</button>
      </div>
    </Form>
  );
}
