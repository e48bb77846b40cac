import type { AuthorisedApplication } from '#libs/access';
import { ConfirmDialog } from '../layers/ui/parts/dialog.js';
import { EmptyState, WebhookStatePill } from '../layers/ui/parts/indicators.js';
import { type Column, Table, actionsColumn } from '../layers/ui/parts/table.js';
import { LAST_USED, PERMISSIONS, SINCE, EXPIRES } from '../layers/oauth/access-columns.js';
import { type ApplicationMaker, approvalOf, makerOf } from '../layers/oauth/application-maker.js';
import { PageLayout } from '../layers/shell/shell.js';
import { type ApplicationWebhook, MAX_APPLICATION_WEBHOOKS } from './applications.statements.js';
import { webhookPath, hostOf } from '../webhooks/index.js';

export const OWN_APPLICATIONS_PATH = '/settings/applications/own';

export interface ApplicationAccess {
  readonly id: string;
  readonly name: string;
  readonly maker: ApplicationMaker;
  readonly grants: readonly AuthorisedApplication[];
  readonly webhooks: readonly ApplicationWebhook[];
}

export function ApplicationsPage({ applications }: { applications: readonly ApplicationAccess[] }) {
  return (
    <PageLayout
      title="Applications"
      intro="Applications with access to this account. Each has at most the permissions of the agent who granted it."
      actions={
        <a class="button" href={OWN_APPLICATIONS_PATH}>
          Applications you build
        </a>
      }
    >
      {applications.length === 0 && <NoApplications />}
      {applications.map((application) => (
        <ApplicationCard application={application} key={application.id} />
      ))}
    </PageLayout>
  );
}

function NoApplications() {
  return (
    <div class="card">
      <EmptyState title="No application has access">
        <p>Applications appear here once an agent connects them to Deskwire and grants them access.</p>
        <p>
          To build one, <a href={OWN_APPLICATIONS_PATH}>create it here</a>. For a script of your own, a personal access
          token from your profile is enough.
        </p>
      </EmptyState>
    </div>
  );
}

const revokePath = (id: string): string => `/settings/applications/${id}/revoke`;

function ApplicationCard({ application: { id, name, maker, grants, webhooks } }: { application: ApplicationAccess }) {
  return (
    <section class="card stack" aria-labelledby={`application-${id}`}>
      <div class="row apart">
        <h2 id={`application-${id}`} class="break">
          {name}
        </h2>
        <ConfirmDialog
          id={`revoke-${id}`}
          openerClass="danger"
          title={`Revoke all access of ${name}?`}
          action={revokePath(id)}
          verb="Revoke"
          what="access"
        >
          <p>All its tokens stop working immediately, and its webhooks are disabled.</p>
          <p>Agents can grant it access again.</p>
        </ConfirmDialog>
      </div>
      <p class="quiet">{`${makerOf(maker)}. ${approvalOf(maker)}.`}</p>
      <Table
        caption={`Agents who granted access to ${name}`}
        columns={grants.length > 1 ? [...COLUMNS, REVOKE] : COLUMNS}
        rows={grants}
      />
      <ApplicationWebhooks webhooks={webhooks} />
    </section>
  );
}

const COLUMNS: readonly Column<AuthorisedApplication>[] = [
  { name: 'Granted by', class: 'break', cell: ({ agent }) => agent },
  PERMISSIONS,
  SINCE,
  LAST_USED,
  EXPIRES,
];

const REVOKE = actionsColumn<AuthorisedApplication>(({ applicationId, name, agentId, agent }) => (
  <ConfirmDialog
    id={`revoke-${applicationId}-${agentId}`}
    title={`Revoke the access that ${agent} granted?`}
    action={revokePath(applicationId)}
    fields={{ agent: agentId }}
    verb="Revoke"
    what="access"
  >
    <p>{`The tokens of ${name} for ${agent} stop working immediately, and the webhooks created with them are disabled.`}</p>
  </ConfirmDialog>
));

function ApplicationWebhooks({ webhooks }: { webhooks: readonly ApplicationWebhook[] }) {
  const count = webhooks[0]?.count ?? 0;
  if (count === 0) return <p class="quiet">It has registered no webhooks.</p>;
  return (
    <div class="stack">
      <h3>{count === 1 ? 'Its webhook' : `Its ${count} webhooks`}</h3>
      <ul class="stack">
        {webhooks.map(({ id, event, url, state }) => (
          <li class="row" key={id}>
            <WebhookStatePill state={state} />
            <a class="mono" href={webhookPath(id)}>
              {event}
            </a>
            <span class="quiet break">{`to ${hostOf(url)}`}</span>
          </li>
        ))}
      </ul>
      {count > webhooks.length && (
        <p class="quiet">
          {`The newest ${MAX_APPLICATION_WEBHOOKS} are listed. `}
          <a href="/settings/webhooks">Show all webhooks</a>
        </p>
      )}
    </div>
  );
}
