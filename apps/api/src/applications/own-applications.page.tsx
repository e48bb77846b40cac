import type { Application } from '#libs/entities';
import { ScopeChoices, TimeOrNever } from '../layers/oauth/access-columns.js';
import { PageLayout } from '../layers/shell/shell.js';
import { usePageContext } from '../layers/ui/page-context.js';
import { Field } from '../layers/ui/parts/fields.js';
import { FormCard } from '../layers/ui/parts/form-card.js';
import { FormAlert } from '../layers/ui/parts/form.js';
import { EmptyState, Pill } from '../layers/ui/parts/indicators.js';
import { type Column, Table } from '../layers/ui/parts/table.js';
import { OWN_APPLICATIONS_PATH } from './applications.page.js';

interface OwnApplicationRow {
  readonly application: Application;
  readonly people: number;
}

export const ownApplicationPath = (clientId: string): string => `${OWN_APPLICATIONS_PATH}/${clientId}`;

export function OwnApplicationsPage({ rows }: { rows: readonly OwnApplicationRow[] }) {
  return (
    <PageLayout
      title="Applications you build"
      intro="OAuth applications of this account. Only its agents can give them access."
      actions={<a href="/settings/applications">Applications with access</a>}
    >
      <FormAlert />
      {rows.length === 0 ? (
        <div class="card">
          <EmptyState
            title="No application yet"
            text="For a script of your own, a personal access token from your profile is enough."
          />
        </div>
      ) : (
        <Table caption="Applications you build" columns={COLUMNS} rows={rows} />
      )}
      <FormCard
        action={OWN_APPLICATIONS_PATH}
        title="New application"
        submit="Create application"
        submitClass="primary"
      >
        <DetailsFields />
        <TypeChoice />
      </FormCard>
    </PageLayout>
  );
}

const COLUMNS: readonly Column<OwnApplicationRow>[] = [
  {
    name: 'Name',
    class: 'break',
    cell: ({ application: { clientId, name } }) => (
      <a href={ownApplicationPath(clientId)}>
        <bdi>{name}</bdi>
      </a>
    ),
  },
  { name: 'Client ID', class: 'mono break', cell: ({ application }) => application.clientId },
  { name: 'Type', cell: ({ application }) => (application.secretHash ? 'confidential' : 'public') },
  { name: 'State', cell: ({ application }) => <ApplicationPills application={application} /> },
  { name: 'Secret used', cell: ({ application }) => <SecretUse application={application} /> },
  { name: 'People', class: 'number', cell: ({ people }) => people },
];

export function ApplicationPills({ application: { approvedAt, disabledAt } }: { application: Application }) {
  return (
    <span class="row">
      <Pill tone={disabledAt ? 'bad' : 'good'}>{disabledAt ? 'disabled' : 'enabled'}</Pill>
      <Pill tone={approvedAt ? 'good' : 'warn'}>{approvedAt ? 'approved' : 'not approved'}</Pill>
    </span>
  );
}

export const isOldSecretValid = ({ previousSecretExpiresAt }: Application, now: Date): boolean =>
  previousSecretExpiresAt !== null && previousSecretExpiresAt > now;

function SecretUse({ application }: { application: Application }) {
  const { now } = usePageContext();
  if (!application.secretHash) return <span class="quiet">no secret</span>;
  return (
    <>
      <TimeOrNever at={application.secretUsedAt} />
      {isOldSecretValid(application, now) && (
        <span class="quiet small">
          {' '}
          (old one: <TimeOrNever at={application.previousSecretUsedAt} />)
        </span>
      )}
    </>
  );
}

export function DetailsFields({ application }: { application?: Application }) {
  const { name = '', homePage, redirectUris = [], scopes = ['read'] } = application ?? {};
  const typed = usePageContext().form.values['scope'];
  return (
    <>
      <div class="pair">
        <Field label="Name" name="name" required value={name} autocomplete="off" />
        <Field label="Home page (optional)" name="home_page" type="url" value={homePage ?? ''} />
      </div>
      <Field
        label="Redirect URIs, one a line"
        name="redirect_uri"
        required
        value={redirectUris.join('\n')}
        hint="Compared character for character. https:, or http: for this machine only (127.0.0.1, [::1], localhost): without a secret, on any port."
      >
        {(attributes, value) => <textarea {...attributes} class="mono" rows={3} dir="ltr" value={value} />}
      </Field>
      <ScopeChoices legend="It may ask for" chosen={typed?.split(' ') ?? scopes} />
    </>
  );
}

const TYPES = {
  confidential: 'Runs on a server and can keep a secret',
  public: 'Runs on a device or in a browser. It has no secret and must use PKCE',
};

function TypeChoice() {
  const chosen = usePageContext().form.values['type'] || 'confidential';
  return (
    <fieldset>
      <legend>Type</legend>
      {Object.entries(TYPES).map(([type, sentence]) => (
        <label class="check" key={type}>
          <input type="radio" name="type" value={type} checked={type === chosen} />
          <span>{sentence}</span>
        </label>
      ))}
    </fieldset>
  );
}
