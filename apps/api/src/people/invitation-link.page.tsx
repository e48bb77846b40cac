import { CopyButton } from '../ui/parts/copy-button.js';
import { NoticeBox } from '../ui/parts/indicators.js';
import { PageLayout } from '../shell/shell.js';

/** Where nothing can be mailed, whoever invites hands the link over. */
export function InvitationLinkPage({ email, link }: { email: string; link: string }) {
  return (
    <PageLayout title="Invitation" section="/settings/agents" narrow>
      <NoticeBox tone="warn" role="status">
        {`No mail server is set up: give this link to ${email}.`}
      </NoticeBox>
      <div class="card stack">
        <p class="mono break" data-link>
          {link}
        </p>
        <div class="row">
          <CopyButton text={link} what="the link" />
        </div>
        <p class="quiet small">
          It works once, for a week. Whoever has it joins as {email}. This page shows it once; the list of agents makes
          another.
        </p>
      </div>
      <p>
        <a href="/settings/agents">Back to the agents</a>
      </p>
    </PageLayout>
  );
}
