import { manages } from '#libs/entities';
import { agentName } from '../../layers/ui/agent-name.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { Icon } from '../../layers/ui/parts/icon.js';

export interface FirstRun {
  readonly hasImap: boolean;
  readonly hasColleagues: boolean;
  readonly hasWebhook: boolean;
  /** The address of the first mailbox. */
  readonly mailbox: string | null;
}

/** `accounts create` gives owners this name, which customers would see in replies. */
const NAME_TO_REPLACE = 'Account Owner';

/** For an account without a ticket. Only managers may do the first steps. */
export function FirstRunChecklist({ firstRun }: { firstRun: FirstRun }) {
  const { me } = usePageContext();
  const { hasImap, hasColleagues, hasWebhook, mailbox } = firstRun;
  return (
    <section class="ticket page narrow" aria-labelledby="first-run">
      <div class="stack">
        <h2 id="first-run">Set up your desk</h2>
        <ul class="stack">
          <Step href="/profile" label="Enter your name" isDone={agentName(me) !== NAME_TO_REPLACE} />
          {manages(me.role) && (
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
    <li class={isDone ? 'row nowrap quiet' : 'row nowrap'}>
      <Icon name={isDone ? 'check' : 'circle'} />
      <a class="break" href={href}>
        {label}
      </a>
      {isDone && <span class="small">Done</span>}
    </li>
  );
}
