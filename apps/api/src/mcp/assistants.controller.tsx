import { Links } from '#libs/payloads';
import { Get } from '@nestjs/common';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { PageLayout } from '../layers/shell/shell.js';
import type { PageContent } from '../layers/ui/page-response.js';
import { CopyButton } from '../layers/ui/parts/copy-button.js';

@ConsolePages('settings/assistants', 'agents', { group: 'Integrations', label: 'Assistants', icon: 'spark' })
export class AssistantsController {
  constructor(private readonly links: Links) {}

  @Get()
  show(): PageContent {
    return { view: <AssistantsPage address={`${this.links.base}/mcp`} /> };
  }
}

function AssistantsPage({ address }: { address: string }) {
  const config = JSON.stringify({ servers: { deskwire: { type: 'http', url: address } } }, null, 2);
  return (
    <PageLayout title="Assistants" intro="AI assistants can read tickets, draft replies and add notes for you." narrow>
      <div class="card stack">
        <p class="row">
          <code class="break">{address}</code>
          <CopyButton text={address} what="the address" />
        </p>
        <p>
          <strong>Claude:</strong> Settings → Connectors → Add custom connector. Paste the address.
        </p>
        <p>
          <strong>ChatGPT:</strong> Settings → Apps → Advanced settings → Developer mode → Create app. Paste the
          address.
        </p>
        <p>
          <strong>VS Code:</strong> Save this as <code>.vscode/mcp.json</code>.{' '}
          <CopyButton text={config} what="mcp.json" />
        </p>
        <pre tabIndex={0} aria-label="mcp.json">
          {config}
        </pre>
        <p class="quiet">
          The assistant asks you to sign in and to choose what it may do. You can revoke its access in your{' '}
          <a href="/profile">profile</a>.
        </p>
      </div>
    </PageLayout>
  );
}
