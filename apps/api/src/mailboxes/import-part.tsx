import type { ImapAccount, ImapImport } from '#libs/entities';
import { ActionButton, Form } from '../ui/parts/form.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { importPath } from './mailbox-paths.js';

interface ImportPartProps {
  readonly imap: ImapAccount;
  readonly older: ImapImport | null;
}

/** Brings in what was on the server before. What it says changes while the page is open. */
export function ImportPart({ imap, older }: ImportPartProps) {
  const isRunning = older !== null && older.endedAt === null;
  return (
    <div class="stack" id="mailbox-import" data-live>
      {older && (
        <p role="status">
          <ImportWords older={older} isPaused={imap.paused} />
        </p>
      )}
      {isRunning && <ActionButton to={importPath(imap.id, 'stop')} label="Stop the import" />}
      {!isRunning && <ImportForm id={imap.id} />}
    </div>
  );
}

function ImportWords({ older, isPaused }: { older: ImapImport; isPaused: boolean }) {
  const { state, total, done, lastError, endedAt } = older;
  const far = total === null ? 'Not begun yet.' : `${done} of ${total} older mails are here.`;
  if (isPaused && older.endedAt === null) return <>Older mail is brought in when fetching is resumed. {far}</>;
  if (state === 'waiting') return <>Older mail: waiting for a worker to begin.</>;
  if (state === 'running') return <>Older mail is being brought in. {far}</>;
  if (state === 'failing')
    return (
      <>
        Older mail: the connection ended. {lastError} It is tried again by itself. {far}
      </>
    );
  return (
    <>
      {state === 'done' ? 'Older mail was brought in' : 'The import of older mail was stopped'}{' '}
      <RelativeTime at={endedAt!} />. {far}
    </>
  );
}

function ImportForm({ id }: { id: string }) {
  return (
    <Form action={importPath(id)} class="stack" label="Older mail">
      <p>
        Mail from before the mailbox was connected can be brought in. Its tickets are closed, and nobody is told of
        them.
      </p>
      <div class="line-form">
        <label class="field">
          Since, or empty for all
          <input name="since" type="date" />
        </label>
        <button type="submit">Import older mail</button>
      </div>
    </Form>
  );
}
