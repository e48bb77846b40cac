import { type AuthorisedApplication, type OpenSession, type PersonalToken, browserLabel } from '#libs/access';
import { usePageContext } from '../../layers/ui/page-context.js';
import { CopyButton } from '../../layers/ui/parts/copy-button.js';
import { ConfirmDialog } from '../../layers/ui/parts/dialog.js';
import { Field } from '../../layers/ui/parts/fields.js';
import { ActionButton } from '../../layers/ui/parts/form.js';
import { FormCard } from '../../layers/ui/parts/form-card.js';
import { NoticeBox } from '../../layers/ui/parts/indicators.js';
import { RelativeTime } from '../../layers/ui/parts/relative-time.js';
import { type Column, Table, actionsColumn } from '../../layers/ui/parts/table.js';
import { LAST_USED, PERMISSIONS, SINCE, ScopeChoices, EXPIRES } from '../../layers/oauth/access-columns.js';
import { ProofField } from '../two-factor/two-factor.page.js';
import type { ProfileView } from './profile.reader.js';

export function SessionsSection({ sessions, current }: { sessions: readonly OpenSession[]; current: string }) {
  return (
    <section class="stack" aria-labelledby="sessions">
      <div class="row apart">
        <h2 id="sessions">Where you are signed in</h2>
        {sessions.length > 1 && <ActionButton to="/profile/sessions/close-others" label="Sign out everywhere else" />}
      </div>
      <Table caption="Sessions" columns={sessionColumns(current)} rows={sessions} />
    </section>
  );
}

const sessionColumns = (current: string): readonly Column<OpenSession>[] => [
  {
    name: 'Browser',
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
  actionsColumn(
    ({ id }) =>
      id !== current && <ActionButton to={`/profile/sessions/${id}/close`} label="Sign out" class="slim danger" />,
  ),
];

export function AuthorisedApplicationsSection({ applications }: { applications: readonly AuthorisedApplication[] }) {
  return (
    <section class="stack" aria-labelledby="authorised">
      <h2 id="authorised">Authorised apps</h2>
      {applications.length === 0 ? (
        <p class="quiet">You have not given any app access to this account.</p>
      ) : (
        <Table caption="Applications with access" columns={APPLICATION_COLUMNS} rows={applications} />
      )}
    </section>
  );
}

const APPLICATION_COLUMNS: readonly Column<AuthorisedApplication>[] = [
  { name: 'Application', cell: ({ name }) => name },
  PERMISSIONS,
  SINCE,
  LAST_USED,
  EXPIRES,
  { name: 'Webhooks', class: 'number', cell: ({ webhooks }) => webhooks },
  actionsColumn(({ applicationId, name }) => (
    <ConfirmDialog
      id={`revoke-${applicationId}`}
      title={`Revoke the access of ${name}?`}
      action={`/profile/applications/${applicationId}/revoke`}
      verb="Revoke"
      what="access"
    >
      <p>Its tokens stop working immediately, and the webhooks it registered with your access are disabled.</p>
    </ConfirmDialog>
  )),
];

export function PersonalTokensSection({ view: { tokens, newToken, twoFactor } }: { view: ProfileView }) {
  return (
    <section class="stack" aria-labelledby="tokens">
      <h2 id="tokens">Personal access tokens</h2>
      <p class="quiet">For your own scripts. A token can do what you can do, within its scopes.</p>
      {newToken && (
        <NoticeBox tone="good" role="status">
          <p>Copy the token now. It will not be shown again.</p>
          <p class="row">
            <code class="break" data-token>
              {newToken}
            </code>
            <CopyButton text={newToken} what="the token" />
          </p>
        </NoticeBox>
      )}
      {tokens.length > 0 && <Table caption="Your tokens" columns={TOKEN_COLUMNS} rows={tokens} />}
      <NewTokenForm orCode={twoFactor.kind === 'on'} />
    </section>
  );
}

const TOKEN_COLUMNS: readonly Column<PersonalToken>[] = [
  { name: 'Name', cell: ({ name }) => name },
  PERMISSIONS,
  LAST_USED,
  { name: 'Expires', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
  actionsColumn(({ id }) => <ActionButton to={`/profile/tokens/${id}/revoke`} label="Revoke" class="slim danger" />),
];

function NewTokenForm({ orCode }: { orCode: boolean }) {
  const chosen = (usePageContext().form.values['scope'] ?? 'read').split(' ');
  return (
    <FormCard action="/profile/tokens" title="New token" hasHeading={false} submit="Create token">
      <div class="pair">
        <Field label="Name" name="name" required hint="For example, what you use it for." autocomplete="off" />
        <Field label="Days until it expires" name="days" type="number" required value="90" hint="At most 365." />
      </div>
      <ScopeChoices legend="Permissions" chosen={chosen} />
      <ProofField name="proof" orCode={orCode} />
    </FormCard>
  );
}
