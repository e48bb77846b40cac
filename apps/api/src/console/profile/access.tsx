import type { OpenSession } from '#libs/access';
import { Action } from '../parts/form.js';
import { Table } from '../parts/table.js';
import { Time } from '../parts/time.js';
import type { AuthorisedApplication } from './profile-view.js';
import { scopeWords } from './scope-words.js';

export function Sessions({ sessions, current }: { sessions: readonly OpenSession[]; current: string }) {
  return (
    <section class="stack" aria-labelledby="sessions">
      <div class="row apart">
        <h2 id="sessions">Where you are signed in</h2>
        {sessions.length > 1 && <Action to="/profile/sessions/close-others" label="Sign out everywhere else" />}
      </div>
      <Table caption="Sessions" columns={['Browser', 'Address', 'Signed in', 'Last seen']}>
        {sessions.map(({ id, userAgent, address, createdAt, lastSeenAt }) => (
          <tr key={id}>
            <td class="break">
              {userAgent || 'unknown'} {id === current && <strong>(this one)</strong>}
            </td>
            <td class="mono">{address}</td>
            <td>
              <Time at={createdAt} />
            </td>
            <td>
              <Time at={lastSeenAt} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

export function Authorised({ grants }: { grants: readonly AuthorisedApplication[] }) {
  return (
    <section class="stack" aria-labelledby="authorised">
      <h2 id="authorised">Authorised apps</h2>
      {grants.length === 0 && <p class="quiet">You have given no application access to this account.</p>}
      {grants.length > 0 && (
        <Table caption="Authorised apps" columns={['Application', 'May', 'Granted', 'Last used', '(Actions)']}>
          {grants.map(({ grantId, application, scopes, createdAt, lastUsedAt }) => (
            <tr key={grantId}>
              <td>{application}</td>
              <td>{scopeWords(scopes)}</td>
              <td>
                <Time at={createdAt} />
              </td>
              <td>{lastUsedAt ? <Time at={lastUsedAt} /> : 'never'}</td>
              <td class="end">
                <Action to={`/profile/grants/${grantId}/revoke`} label="Revoke" class="slim danger" />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </section>
  );
}
