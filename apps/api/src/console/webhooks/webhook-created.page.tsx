import type { Webhook } from '#libs/entities';
import { Notice } from '../../pages/parts/marks.js';
import { Page } from '../shell/shell.js';
import { Secret, Snippets } from './secret.js';
import { webhookPath } from './webhooks.page.js';

export interface CreatedView {
  readonly webhooks: readonly { readonly webhook: Webhook; readonly secret: string }[];
}

export function CreatedPage({ view: { webhooks } }: { view: CreatedView }) {
  const several = webhooks.length > 1;
  return (
    <Page title={several ? `${webhooks.length} webhooks added` : 'Webhook added'} here="/settings/webhooks" narrow>
      <Notice tone="good" role="status">
        {several ? 'They are active from now on.' : 'It is active from now on.'} The secret can be seen again at any
        time on the webhook’s page.
      </Notice>
      {webhooks.map(({ webhook, secret }) => (
        <section class="card stack" aria-label={webhook.event} key={webhook.id}>
          <div class="row apart">
            <h2 class="mono">{webhook.event}</h2>
            <a href={webhookPath(webhook.id)}>Open, and watch its deliveries</a>
          </div>
          <p class="mono break">{webhook.url}</p>
          <details class="secret">
            <summary>
              Signing secret <code>whsec_••••••••</code> – reveal
            </summary>
            <Secret secret={secret} />
          </details>
        </section>
      ))}
      <div class="card">
        <Snippets />
      </div>
    </Page>
  );
}
