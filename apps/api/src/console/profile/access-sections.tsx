import type { AuthorisedApplication, OpenSession } from '#libs/access';
import { ConfirmDialog } from '../../pages/parts/dialog.js';
import { ActionButton } from '../../pages/parts/form.js';
import { Table } from '../../pages/parts/table.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import { browserLabel } from './browser-label.js';
import { scopesLabel } from './scope-label.js';

export function SessionsSection({ sessions, current }: { sessions: readonly OpenSession[]; current: string }) {
  return (
    <section class="stack" aria-labelledby="sessions">
      <div class="row apart">
        <h2 id="sessions">Where you are signed in</h2>
        {sessions.length > 1 && <ActionButton to="/profile/sessions/close-others" label="Sign out everywhere else" />}
      </div>
      <Table caption="Sessions" columns={['Browser', 'Address', 'Signed in', 'Last seen']}>
        {sessions.map(({ id, userAgent, address, createdAt, lastSeenAt }) => (
          <tr key={id}>
            <td class="words" title={userAgent}>
              {browserLabel(userAgent)} {id === current && <strong>(this one)</strong>}
            </td>
            <td class="mono">{address}</td>
            <td>
              <RelativeTime at={createdAt} />
            </td>
            <td>
              <RelativeTime at={lastSeenAt} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

export function AuthorisedApplicationsSection({ applications }: { applications: readonly AuthorisedApplication[] }) {
  return (
    <section class="stack" aria-labelledby="authorised">
      <h2 id="authorised">Authorised apps</h2>
      {applications.length === 0 && <p class="quiet">You have given no application access to this account.</p>}
      {applications.length > 0 && (
        <Table
          caption="Applications with access"
          columns={['Application', 'May', 'Since', 'Last used', 'Webhooks', '(Actions)']}
        >
          {applications.map(({ applicationId, name, scopes, since, lastUsedAt, webhooks }) => (
            <tr key={applicationId}>
              <td>{name}</td>
              <td class="words">{scopesLabel(scopes)}</td>
              <td>
                <RelativeTime at={since} />
              </td>
              <td>{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never'}</td>
              <td class="number">{webhooks}</td>
              <td class="end">
                <ConfirmDialog
                  id={`revoke-${applicationId}`}
                  opener="Revoke…"
                  openerClass="slim danger"
                  title={`Revoke the access of ${name}?`}
                  action={`/profile/applications/${applicationId}/revoke`}
                  confirm="Revoke access"
                >
                  <p>Its tokens stop working at once, and the webhooks it registered with your access are disabled.</p>
                </ConfirmDialog>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
