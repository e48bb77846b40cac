import type { ImapAccount, ImapImport } from '#libs/entities';
import { ConfirmDialog } from '../layers/ui/parts/dialog.js';
import { LabelledInput, LabelledSelect } from '../layers/ui/parts/fields.js';
import { ActionButton, Form } from '../layers/ui/parts/form.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { MailboxSection, SECURITIES, type SectionProps, mailboxPath, useFieldValues } from './mailbox-section.js';

const imapPath = (id: string, action = ''): string => `${mailboxPath(id)}/imap${action}`;

export function ImapSection({ mailbox: { id }, imap, older, refused }: SectionProps) {
  return (
    <MailboxSection title="Receive email (IMAP)" isRefused={refused === 'imap'}>
      {imap ? (
        <ImapState id={id} imap={imap} />
      ) : (
        <p>Fetch mail from a mail server. Messages are left on the server.</p>
      )}
      {imap?.signIn === 'oauth' ? (
        <p>Signs in by OAuth at {imap.host}. Use the API to change these settings.</p>
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
        <StateText imap={imap} />
      </p>
      <div class="row">
        <ActionButton to={imapPath(id, imap.paused ? '/resume' : '/pause')} label={imap.paused ? 'Resume' : 'Pause'} />
        <ActionButton to={imapPath(id, '/rescan')} label="Fetch missed mail" />
        <ConfirmDialog
          id="remove-imap"
          title="Stop fetching mail?"
          action={imapPath(id, '/delete')}
          verb="Remove"
          what="IMAP settings"
        >
          <p>Fetched mail is kept. If you set it up again, fetching starts with mail that arrives after that.</p>
        </ConfirmDialog>
      </div>
    </>
  );
}

function StateText({ imap }: { imap: ImapAccount }) {
  const { state, lastResponseAt, failingSince, lastError } = imap;
  const lastResponse = lastResponseAt ? (
    <>
      Last response from the server <RelativeTime at={lastResponseAt} />.
    </>
  ) : (
    'The server has not responded yet.'
  );
  if (state === 'paused') return <>Paused. {lastResponse}</>;
  if (state === 'connected') return <>Connected. {lastResponse}</>;
  if (state === 'waiting') return <>Waiting for a worker to connect. {lastResponse}</>;
  return (
    <>
      Failing since <RelativeTime at={failingSince!} />. {lastError} It will be retried automatically. {lastResponse}
    </>
  );
}

const NOTHING_SAVED: Partial<ImapAccount> = {};

function ImapForm({ id, imap, isRefused }: { id: string; imap: ImapAccount | null; isRefused: boolean }) {
  const { host = '', port = 993, security = 'tls', username = '', folder = 'INBOX' } = imap ?? NOTHING_SAVED;
  const shown = useFieldValues({ host, port: String(port), security, username, folder }, isRefused);
  return (
    <Form action={imapPath(id)} class="stack" label="Receive email (IMAP)" autocomplete="off">
      <div class="pair">
        <LabelledInput label="Server" name="host" value={shown.host} />
        <LabelledInput label="Port" name="port" value={shown.port} />
        <LabelledSelect label="Encryption" name="security" choices={SECURITIES} chosen={shown.security} />
      </div>
      <div class="pair">
        <LabelledInput label="User" name="username" value={shown.username} />
        <LabelledInput
          label="Password"
          name="password"
          type="password"
          value=""
          required={!imap}
          {...(imap && { placeholder: 'unchanged' })}
        />
        <LabelledInput label="Folder" name="folder" value={shown.folder} />
      </div>
      <button type="submit">Save</button>
    </Form>
  );
}

function ImportPart({ imap, older }: { imap: ImapAccount; older: ImapImport | null }) {
  const isRunning = older !== null && older.endedAt === null;
  return (
    <div class="stack" id="mailbox-import" data-live>
      {older && (
        <p role="status">
          <ImportText older={older} isPaused={imap.paused} />
        </p>
      )}
      {isRunning && <ActionButton to={imapPath(imap.id, '/import/stop')} label="Stop import" />}
      {!isRunning && <ImportForm id={imap.id} />}
    </div>
  );
}

function ImportText({ older, isPaused }: { older: ImapImport; isPaused: boolean }) {
  const { state, total, done, lastError, endedAt } = older;
  const progress = total === null ? 'Not started yet.' : `${done} of ${total} older emails imported.`;
  if (isPaused && older.endedAt === null) return <>Older mail is imported once fetching is resumed. {progress}</>;
  if (state === 'waiting') return <>Import: waiting for a worker.</>;
  if (state === 'running') return <>Importing older mail. {progress}</>;
  if (state === 'failing')
    return (
      <>
        Import interrupted. {lastError} It will be retried automatically. {progress}
      </>
    );
  return (
    <>
      {state === 'done' ? 'Import of older mail finished' : 'Import of older mail stopped'}{' '}
      <RelativeTime at={endedAt!} />. {progress}
    </>
  );
}

function ImportForm({ id }: { id: string }) {
  return (
    <Form action={imapPath(id, '/import')} class="stack" label="Older mail">
      <p>
        Import mail from before the mailbox was connected. The tickets are created as closed, and nobody is notified.
      </p>
      <div class="line-form">
        <label class="field">
          Since (empty for all mail)
          <input name="since" type="date" />
        </label>
        <button type="submit">Import older mail</button>
      </div>
    </Form>
  );
}
