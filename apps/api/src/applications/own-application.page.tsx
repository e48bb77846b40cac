import type { Application } from '#libs/entities';
import { TimeOrNever } from '../layers/oauth/access-columns.js';
import { PageLayout } from '../layers/shell/shell.js';
import { usePageContext } from '../layers/ui/page-context.js';
import { CopyButton } from '../layers/ui/parts/copy-button.js';
import { ConfirmDialog, DeleteDialog } from '../layers/ui/parts/dialog.js';
import { LabelledSelect } from '../layers/ui/parts/fields.js';
import { Facts } from '../layers/ui/parts/facts.js';
import { FormCard } from '../layers/ui/parts/form-card.js';
import { ActionButton, FormAlert } from '../layers/ui/parts/form.js';
import { NoticeBox } from '../layers/ui/parts/indicators.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { ApplicationPills, DetailsFields, isOldSecretValid, ownApplicationPath } from './own-applications.page.js';

interface OwnApplicationProps {
  readonly application: Application;
  readonly newSecret: string | null;
  readonly base: string;
}

export function OwnApplicationPage({ application, newSecret, base }: OwnApplicationProps) {
  const { clientId, name, secretHash, approvedAt } = application;
  return (
    <PageLayout title={name} narrow actions={<StateActions application={application} />}>
      <FormAlert />
      {newSecret !== null && (
        <NoticeBox tone="good" role="status">
          <p>Copy the client secret now. It will not be shown again.</p>
          <Copied text={newSecret} what="the client secret" />
        </NoticeBox>
      )}
      {!approvedAt && (
        <NoticeBox tone="warn">
          Not approved: only owners and admins can register webhooks with it. The operator approves it with{' '}
          <code class="break">npm run cli -- apps approve {clientId}</code>.
        </NoticeBox>
      )}
      <Addresses application={application} base={base} />
      {secretHash && <SecretSection application={application} />}
      <FormCard action={ownApplicationPath(clientId)} title="Details" submit="Save details">
        <DetailsFields application={application} />
        <p class="quiet small">
          Access that was given before keeps its permissions.
          {approvedAt && ' After a change, the operator has to approve the application again.'}
        </p>
      </FormCard>
    </PageLayout>
  );
}

function Copied({ text, what }: { text: string; what: string }) {
  return (
    <p class="row">
      <code class="break">{text}</code>
      <CopyButton text={text} what={what} />
    </p>
  );
}

function StateActions({ application: { clientId, name, disabledAt } }: { application: Application }) {
  const path = ownApplicationPath(clientId);
  return (
    <>
      {disabledAt ? (
        <ActionButton to={`${path}/enable`} label="Enable" />
      ) : (
        <ConfirmDialog id="disable" title={`Disable ${name}?`} action={`${path}/disable`} verb="Disable" openerClass="">
          <p>Its tokens stop working until you enable it. Its webhooks stay disabled.</p>
        </ConfirmDialog>
      )}
      <DeleteDialog id="delete" name={name} path={path} openerClass="danger">
        <p>All its tokens stop working immediately. Its webhooks are disabled.</p>
      </DeleteDialog>
    </>
  );
}

function Addresses({ application, base }: Pick<OwnApplicationProps, 'application' | 'base'>) {
  const metadata = `${base}/.well-known/oauth-authorization-server`;
  return (
    <section class="card stack" aria-labelledby="connect">
      <div class="row apart">
        <h2 id="connect">Connect it</h2>
        <ApplicationPills application={application} />
      </div>
      <Facts
        of={[
          ['Client ID', <Copied text={application.clientId} what="the client ID" />],
          ['Metadata', <Copied text={metadata} what="the address of the metadata" />],
          ['Authorize', <code>{base}/oauth/authorize</code>],
          ['Token', <code>{base}/oauth/token</code>],
        ]}
      />
      <p class="quiet">
        Give your OAuth library the metadata, or the other two addresses. The <a href="/docs/oauth">API reference</a>{' '}
        has examples.
      </p>
    </section>
  );
}

const OVERLAPS = [
  { value: '24', label: '24 hours' },
  { value: '168', label: '7 days' },
  { value: '0', label: 'Ends now' },
];

function SecretSection({ application }: { application: Application }) {
  const { now } = usePageContext();
  const path = ownApplicationPath(application.clientId);
  return (
    <section class="card stack" aria-labelledby="secret">
      <div class="row apart">
        <h2 id="secret">Client secret</h2>
        <ConfirmDialog
          id="rotate"
          title="Rotate the client secret?"
          action={`${path}/rotate`}
          verb="Rotate"
          openerClass=""
          inputs={
            <LabelledSelect label="The current secret stays valid for" name="overlap" choices={OVERLAPS} chosen="24" />
          }
        >
          <p>The new secret is shown once. An older one that is still valid stops working.</p>
        </ConfirmDialog>
      </div>
      <p>
        Last used: <TimeOrNever at={application.secretUsedAt} />
      </p>
      {isOldSecretValid(application, now) && (
        <div class="row apart">
          <p>
            Old secret: last used <TimeOrNever at={application.previousSecretUsedAt} />, ends{' '}
            <RelativeTime at={application.previousSecretExpiresAt!} />
          </p>
          <ConfirmDialog id="end" title="End the old secret?" action={`${path}/end-old-secret`} verb="End now">
            <p>Requests that still send it are refused.</p>
          </ConfirmDialog>
        </div>
      )}
    </section>
  );
}
