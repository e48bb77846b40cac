import type { AuthorisedApplication } from '#libs/access';
import { ConfirmDialog } from '../../pages/parts/dialog.js';
import { EmptyState, WebhookStatePill } from '../../pages/parts/indicators.js';
import { Table } from '../../pages/parts/table.js';
import { RelativeTime } from '../../pages/parts/relative-time.js';
import { scopesLabel } from '../profile/scope-label.js';
import { PageLayout } from '../shell/shell.js';
import type { ApplicationWebhook, ApplicationAccess } from './applications.reader.js';
import { webhookPath, hostOf } from '../webhooks/webhook-paths.js';

export function ApplicationsPage({ applications }: { applications: readonly ApplicationAccess[] }) {
  return (
    <PageLayout
      title="Applications"
      intro="Other programs that somebody here let into this account. Each may do only what that person may do themselves."
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
        <p>When somebody signs in to another program with Deskwire and allows it in, it appears here.</p>
        <p>Programs of your own need no application: make a personal access token in your profile.</p>
      </EmptyState>
    </div>
  );
}

const revokePath = (id: string): string => `/settings/applications/${id}/revoke`;

function ApplicationCard({ application: { id, name, grants, webhooks } }: { application: ApplicationAccess }) {
  return (
    <section class="card stack" aria-labelledby={`application-${id}`}>
      <div class="row apart">
        <h2 id={`application-${id}`} class="break">
          {name}
        </h2>
        <ConfirmDialog
          id={`revoke-${id}`}
          opener="Revoke…"
          openerClass="danger"
          title={`Revoke all access of ${name}?`}
          action={revokePath(id)}
          confirm="Revoke access"
        >
          <p>Its tokens stop working at once, whoever granted them, and its webhooks are disabled.</p>
          <p>Each person can let it in again.</p>
        </ConfirmDialog>
      </div>
      <Table
        caption={`Who let in ${name}`}
        columns={['Granted by', 'May', 'Since', 'Last used', ...(grants.length > 1 ? ['(Actions)'] : [])]}
      >
        {grants.map((grant) => (
          <GrantLine grant={grant} alone={grants.length === 1} key={grant.agentId} />
        ))}
      </Table>
      <ApplicationWebhooks webhooks={webhooks} />
    </section>
  );
}

function GrantLine({ grant, alone }: { grant: AuthorisedApplication; alone: boolean }) {
  const { applicationId, name, agentId, agent, scopes, since, lastUsedAt } = grant;
  return (
    <tr>
      <td class="break">{agent}</td>
      <td class="words">{scopesLabel(scopes)}</td>
      <td>
        <RelativeTime at={since} />
      </td>
      <td>{lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <span class="quiet">never</span>}</td>
      {!alone && (
        <td class="end">
          <ConfirmDialog
            id={`revoke-${applicationId}-${agentId}`}
            opener="Revoke…"
            openerClass="slim danger"
            title={`Revoke what ${agent} granted?`}
            action={revokePath(applicationId)}
            fields={{ agent: agentId }}
            confirm="Revoke access"
          >
            <p>{`The tokens of ${name} for ${agent} stop working at once, and the webhooks made with them are disabled.`}</p>
          </ConfirmDialog>
        </td>
      )}
    </tr>
  );
}

function ApplicationWebhooks({ webhooks }: { webhooks: readonly ApplicationWebhook[] }) {
  if (webhooks.length === 0) return <p class="quiet">It has registered no webhooks.</p>;
  return (
    <div class="stack">
      <h3>{webhooks.length === 1 ? 'Its webhook' : `Its ${webhooks.length} webhooks`}</h3>
      <ul class="stack lines">
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
    </div>
  );
}
