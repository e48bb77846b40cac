import { type Delivery, type DeliveryState, DELIVERY_STATES, type Webhook } from '#libs/entities';
import { same } from '../inbox/filters.js';
import { Confirm, Dialog, Cancel } from '../../pages/parts/dialog.js';
import { Action, type Faults, Field, Form, Options } from '../../pages/parts/form.js';
import { Notice, WebhookStatePill } from '../../pages/parts/marks.js';
import { PERIODS } from '../../pages/parts/periods.js';
import { Pager } from '../../pages/parts/table.js';
import { Time } from '../../pages/parts/time.js';
import { Page } from '../shell/shell.js';
import { DeliveriesTable } from './deliveries-table.js';
import { Replays, type ReplayRun } from './replays.js';
import { Secret, Snippets } from './secret.js';
import { whyDisabled } from './webhook-words.js';
import { webhookPath } from './webhooks.page.js';

export interface WebhookView {
  readonly webhook: Webhook;
  /** Null until somebody asks for them: every look is noted. */
  readonly secrets: readonly { readonly secret: string; readonly expiresAt: Date | null }[] | null;
  readonly refused: string | null;
  readonly deliveries: readonly Delivery[];
  readonly state: DeliveryState | null;
  readonly since: string | null;
  readonly next: string | null;
  readonly first: string | null;
  readonly attemptsAllowed: number;
  readonly replays: readonly ReplayRun[];
  readonly faults: Faults;
  readonly url: string;
}

export function WebhookPage({ view }: { view: WebhookView }) {
  const { webhook } = view;
  return (
    <Page
      title={webhook.event}
      here="/settings/webhooks"
      watch={`webhook=${webhook.id}`}
      intro={
        <span class="row">
          <WebhookStatePill state={webhook.state} />
          <span class="mono break">{webhook.url}</span>
        </span>
      }
      actions={<Deeds webhook={webhook} />}
    >
      {view.refused && (
        <Notice tone="bad" role="alert">
          {view.refused}
        </Notice>
      )}
      {webhook.state === 'disabled' && <Notice tone="warn">{whyDisabled(webhook)}</Notice>}
      {webhook.state === 'paused' && (
        <Notice tone="warn">Paused: what happens is kept, and goes out when you resume.</Notice>
      )}
      <Deliveries view={view} />
      {webhook.state !== 'disabled' && <Replays webhook={webhook} runs={view.replays} />}
      <div class="columns">
        <Details view={view} />
        <section class="card">
          <Snippets />
        </section>
      </div>
    </Page>
  );
}

function Deeds({ webhook }: { webhook: Webhook }) {
  const path = webhookPath(webhook.id);
  return (
    <>
      {webhook.state !== 'disabled' && (
        <Action to={`${path}/test`} label="Send test" class="primary" swap="deliveries toasts" />
      )}
      <Switch webhook={webhook} />
      <Confirm
        id="delete-webhook"
        opener="Delete…"
        openerClass="danger"
        title="Delete this webhook?"
        action={`${path}/delete`}
        confirm="Delete webhook"
      >
        <p>What is still owed to it is cancelled, and its log of deliveries can no longer be read.</p>
      </Confirm>
    </>
  );
}

/** What the operator stopped, nobody in the account can start. */
function Switch({ webhook: { id, state, disabledReason } }: { webhook: Webhook }) {
  if (disabledReason === 'operator') return null;
  return state === 'active' ? (
    <Action to={`${webhookPath(id)}/state`} label="Pause" fields={{ state: 'paused' }} />
  ) : (
    <Action to={`${webhookPath(id)}/state`} label="Resume" fields={{ state: 'active' }} />
  );
}

function Deliveries({ view }: { view: WebhookView }) {
  const { webhook, deliveries, state, since, next, first, attemptsAllowed } = view;
  return (
    <div class="stack">
      <div class="row apart">
        <h2>Deliveries</h2>
        <form action={webhookPath(webhook.id)} class="row" aria-label="Filter deliveries">
          <select name="state" class="slim fit" aria-label="State">
            <Options choices={[{ value: '', label: 'Every state' }, ...same(DELIVERY_STATES)]} chosen={state} />
          </select>
          <select name="since" class="slim fit" aria-label="Time">
            <Options choices={PERIODS} chosen={since} />
          </select>
          <button type="submit">Filter</button>
        </form>
      </div>
      <DeliveriesTable
        deliveries={deliveries}
        attemptsAllowed={attemptsAllowed}
        accepts={webhook.state !== 'disabled'}
      />
      <Pager next={next} first={first} label={`${deliveries.length} shown`} />
    </div>
  );
}

function Details({ view: { webhook, secrets, faults, url } }: { view: WebhookView }) {
  const path = webhookPath(webhook.id);
  return (
    <section class="card stack" aria-labelledby="details">
      <h2 id="details">Details</h2>
      <dl class="facts">
        <dt>Made by</dt>
        <dd>{webhook.application?.name ?? 'the console'}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={webhook.createdAt} />
        </dd>
        <dt>Id</dt>
        <dd class="mono break">{webhook.id}</dd>
      </dl>
      <Form action={path} class="stack" label="Address">
        <Field label="Address" name="url" type="url" required value={url} faults={faults} />
        <div>
          <button type="submit">Save address</button>
        </div>
      </Form>
      <hr />
      {secrets === null ? (
        <Form action={`${path}/secret`} class="row" label="Signing secret">
          <span>
            Signing secret <code>whsec_••••••••</code>
          </span>
          <button type="submit" class="slim">
            Reveal
          </button>
        </Form>
      ) : (
        secrets.map(({ secret, expiresAt }) => <Secret secret={secret} until={expiresAt} key={secret} />)
      )}
      <div>
        <RotateDialog path={path} />
      </div>
    </section>
  );
}

function RotateDialog({ path }: { path: string }) {
  return (
    <Dialog id="rotate" opener="Rotate secret…" title="Rotate the secret?">
      <p>
        A new secret is made. Deliveries are signed with both, old and new, for 24 hours, so that you can change your
        receiver in between without losing one.
      </p>
      <Form action={`${path}/rotate`} class="row">
        <button type="submit" class="primary">
          Rotate secret
        </button>
        <Cancel dialog="rotate" />
      </Form>
    </Dialog>
  );
}
