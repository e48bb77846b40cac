import type { PersonalToken } from '#libs/access';
import { SCOPES } from '#libs/entities';
import { CopyButton } from '../../ui/parts/copy-button.js';
import { Field } from '../../ui/parts/fields.js';
import { ActionButton, Form } from '../../ui/parts/form.js';
import { NoticeBox } from '../../ui/parts/indicators.js';
import { type Column, Table } from '../../ui/parts/table.js';
import { RelativeTime } from '../../ui/parts/relative-time.js';
import type { ProfileView } from './profile.reader.js';
import { Permissions, RecordsNotice, SCOPE_LABELS } from '../../oauth/permissions.js';

export function PersonalTokensSection({ view: { tokens, newToken } }: { view: ProfileView }) {
  return (
    <section class="stack" aria-labelledby="tokens">
      <h2 id="tokens">Personal access tokens</h2>
      <p class="quiet">For scripts of your own. A token can do what you can do, within its scopes.</p>
      {newToken && (
        <NoticeBox tone="good" role="status">
          <p>Copy the token now: it is not shown again.</p>
          <p class="row">
            <code class="break" data-token>
              {newToken}
            </code>
            <CopyButton text={newToken} what="the token" />
          </p>
        </NoticeBox>
      )}
      <RecordsNotice granted={tokens} />
      {tokens.length > 0 && <Table caption="Your tokens" columns={COLUMNS} rows={tokens} />}
      <NewTokenForm />
    </section>
  );
}

const COLUMNS: readonly Column<PersonalToken>[] = [
  { name: 'Name', cell: ({ name }) => name },
  { name: 'Permissions', class: 'words', cell: (token) => <Permissions {...token} /> },
  { name: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : 'never') },
  { name: 'Expires', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
  {
    name: '(Actions)',
    class: 'end',
    cell: ({ id }) => <ActionButton to={`/profile/tokens/${id}/revoke`} label="Revoke" class="slim danger" />,
  },
];

function NewTokenForm() {
  return (
    <Form action="/profile/tokens" class="card stack" label="New token">
      <div class="pair">
        <Field label="Name" name="name" required hint="What it is for." autocomplete="off" />
        <Field label="Days until it expires" name="days" type="number" required value="90" hint="At most 365." />
      </div>
      <fieldset>
        <legend>Permissions</legend>
        {SCOPES.map((scope) => (
          <label class="check" key={scope}>
            <input type="checkbox" name="scope[]" value={scope} checked={scope === 'read'} />
            <span>{SCOPE_LABELS[scope]}</span>
          </label>
        ))}
        <p class="quiet small">To register webhooks or read deliveries, a token must be allowed to read as well.</p>
      </fieldset>
      <div>
        <button type="submit">Make token</button>
      </div>
    </Form>
  );
}
