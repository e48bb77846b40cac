import { manages } from '#libs/entities';
import { usePageContext } from '../../layers/ui/page-context.js';
import { Icon } from '../../layers/ui/parts/icon.js';

export interface FirstRun {
  readonly hasImap: boolean;
  readonly hasColleagues: boolean;
  readonly hasWebhook: boolean;
  /** The address of the first mailbox. */
  readonly mailbox: string | null;
}

/** For an account without a ticket. Only managers may do the first steps. */
export function FirstRunChecklist({ firstRun }: { firstRun: FirstRun }) {
  const { hasImap, hasColleagues, hasWebhook, mailbox } = firstRun;
  return (
    <section class="ticket page narrow" aria-labelledby="first-run">
      <div class="stack">
        <h2 id="first-run">Set up your desk</h2>
        <ul class="stack">
          {manages(usePageContext().me.role) && (
            <>
              <Step href="/settings/mailboxes" label="Connect a mailbox" isDone={hasImap} />
              <Step href="/settings/agents" label="Invite colleagues" isDone={hasColleagues} />
              <Step href="/settings/webhooks/new" label="Add a webhook" isDone={hasWebhook} />
            </>
          )}
          {mailbox && <Step href={`mailto:${mailbox}`} label={`Send yourself an email at ${mailbox}`} />}
        </ul>
        <p class="quiet">The first email becomes your first ticket. It appears here immediately.</p>
      </div>
    </section>
  );
}

function Step({ href, label, isDone = false }: { href: string; label: string; isDone?: boolean }) {
  return (
    <li class={isDone ? 'row quiet' : 'row'}>
      <Icon name={isDone ? 'check' : 'circle'} />
      <a class="break" href={href}>
        {label}
      </a>
      {isDone && <span class="small">Done</span>}
    </li>
  );
}
