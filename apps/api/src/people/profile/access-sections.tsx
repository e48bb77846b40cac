import { type AuthorisedApplication, type OpenSession, browserLabel } from '#libs/access';
import { ConfirmDialog } from '../../ui/parts/dialog.js';
import { ActionButton } from '../../ui/parts/form.js';
import { type Column, Table } from '../../ui/parts/table.js';
import { RelativeTime } from '../../ui/parts/relative-time.js';
import { Permissions, RecordsNotice } from '../../oauth/permissions.js';

export function SessionsSection({ sessions, current }: { sessions: readonly OpenSession[]; current: string }) {
  return (
    <section class="stack" aria-labelledby="sessions">
      <div class="row apart">
        <h2 id="sessions">Where you are signed in</h2>
        {sessions.length > 1 && <ActionButton to="/profile/sessions/close-others" label="Sign out everywhere else" />}
      </div>
      <Table
        caption="Sessions"
        columns={[
          {
            name: 'Browser',
            class: 'words',
            title: ({ userAgent }) => userAgent,
            cell: ({ id, userAgent }) => (
              <>
                {browserLabel(userAgent)} {id === current && <strong>(this one)</strong>}
              </>
            ),
          },
          { name: 'Address', class: 'mono', cell: ({ address }) => address },
          { name: 'Signed in', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
          { name: 'Last seen', cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} /> },
          {
            name: '(Actions)',
            class: 'end',
            cell: ({ id }) =>
              id !== current && (
                <ActionButton to={`/profile/sessions/${id}/close`} label="Sign out" class="slim danger" />
              ),
          },
        ]}
        rows={sessions}
      />
    </section>
  );
}

export function AuthorisedApplicationsSection({ applications }: { applications: readonly AuthorisedApplication[] }) {
  return (
    <section class="stack" aria-labelledby="authorised">
      <h2 id="authorised">Authorised apps</h2>
      {applications.length === 0 && <p class="quiet">You have not given any application access to this account.</p>}
      <RecordsNotice granted={applications} />
      {applications.length > 0 && (
        <Table caption="Applications with access" columns={APPLICATION_COLUMNS} rows={applications} />
      )}
    </section>
  );
}

const APPLICATION_COLUMNS: readonly Column<AuthorisedApplication>[] = [
  { name: 'Application', cell: ({ name }) => name },
  { name: 'Permissions', class: 'words', cell: (application) => <Permissions {...application} /> },
  { name: 'Since', cell: ({ since }) => <RelativeTime at={since} /> },
  { name: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never') },
  { name: 'Webhooks', class: 'number', cell: ({ webhooks }) => webhooks },
  {
    name: '(Actions)',
    class: 'end',
    cell: ({ applicationId, name }) => (
      <ConfirmDialog
        id={`revoke-${applicationId}`}
        title={`Revoke the access of ${name}?`}
        action={`/profile/applications/${applicationId}/revoke`}
        verb="Revoke"
        what="access"
      >
        <p>Its tokens stop working at once, and the webhooks it registered with your access are disabled.</p>
      </ConfirmDialog>
    ),
  },
];
