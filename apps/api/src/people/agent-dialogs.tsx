import type { Agent } from '#libs/entities';
import { CancelButton, ConfirmDialog, Dialog } from '../layers/ui/parts/dialog.js';
import { Field, LabelledSelect, SelectField, choicesOf } from '../layers/ui/parts/fields.js';
import { Form, SubmitButton } from '../layers/ui/parts/form.js';
import { agentChoices, agentName } from '../layers/ui/agent-name.js';
import { KEEP_ASSIGNEE } from './ticket-handover.service.js';

export interface AgentRow {
  readonly agent: Agent;
  readonly openTickets: number;
  /** `ticket_started to hooks.example`, for each that stops when the agent is archived. */
  readonly webhooks: readonly string[];
  readonly hasTwoFactor: boolean;
}

export function InviteDialog({ canMail }: { canMail: boolean }) {
  return (
    <Dialog id="invite" opener="Invite agent" openerClass="primary" title="Invite an agent">
      <Form action="/settings/agents" class="stack">
        <Field label="Email" name="email" type="email" required autocomplete="off" />
        <div class="pair">
          <Field label="First name" name="first_name" required autocomplete="off" />
          <Field label="Last name" name="last_name" required autocomplete="off" />
        </div>
        <SelectField
          label="Role"
          name="role"
          choices={ROLES}
          value="agent"
          hint="Admins also manage agents, mailboxes, groups and webhooks."
        />
        {!canMail && <p class="small">Email is not set up. You will get a link to pass on.</p>}
        <div class="row">
          <SubmitButton>{canMail ? 'Send invitation' : 'Invite'}</SubmitButton>
          <CancelButton dialog="invite" />
        </div>
      </Form>
    </Dialog>
  );
}

const ROLES = choicesOf({ agent: 'Agent', admin: 'Admin' });

/** The list is repeated for each agent, so a longer one would make the page too large. */
const MAX_RECEIVERS = 30;

type DialogProps = AgentRow & { readonly receivers: readonly Agent[] };

export function ArchiveDialog({ agent, openTickets, webhooks, receivers }: DialogProps) {
  return (
    <ConfirmDialog
      id={`archive-${agent.id}`}
      title={`Archive ${agentName(agent)}?`}
      action={`/settings/agents/${agent.id}/archive`}
      verb="Archive"
      inputs={openTickets > 0 && <ReceiverSelect {...{ agent, openTickets, receivers }} canKeep />}
    >
      <p>
        They are signed out, and their tokens and the webhooks created with these tokens are disabled. You can restore
        the agent later.
      </p>
      {webhooks.length > 0 && <p>{stoppingText(webhooks)}</p>}
      {openTickets === 0 && <p>They have no open tickets.</p>}
    </ConfirmDialog>
  );
}

function stoppingText(webhooks: readonly string[]): string {
  const stopping = webhooks.length === 1 ? 'One webhook stops' : `${webhooks.length} webhooks stop`;
  return `${stopping}: ${webhooks.join(', ')}. Owners and admins can resume them under Webhooks.`;
}

export function ReassignDialog({ agent, openTickets, receivers }: DialogProps) {
  const id = `reassign-${agent.id}`;
  return (
    <Dialog
      id={id}
      opener="Reassign tickets…"
      openerClass="slim"
      title={`Reassign the open tickets of ${agentName(agent)}`}
    >
      <Form action={`/settings/agents/${agent.id}/reassign`} class="stack">
        <ReceiverSelect {...{ agent, openTickets, receivers }} />
        <div class="row">
          <SubmitButton>Reassign</SubmitButton>
          <CancelButton dialog={id} />
        </div>
      </Form>
    </Dialog>
  );
}

function ReceiverSelect({
  agent,
  openTickets,
  receivers,
  canKeep = false,
}: Omit<DialogProps, 'hasTwoFactor' | 'webhooks'> & { canKeep?: boolean }) {
  const others = receivers.filter(({ id }) => id !== agent.id).slice(0, MAX_RECEIVERS);
  return (
    <LabelledSelect
      label={`Give the ${openTickets === 1 ? 'open ticket' : `${openTickets} open tickets`} to`}
      name="assignee"
      choices={[
        { value: 'unassigned', label: 'Unassigned' },
        ...agentChoices(others),
        ...(canKeep ? [{ value: KEEP_ASSIGNEE, label: `Leave with ${agentName(agent)}` }] : []),
      ]}
      chosen="unassigned"
    />
  );
}

export function TwoFactorReset({ agent }: { agent: Agent }) {
  return (
    <ConfirmDialog
      id={`reset-two-factor-${agent.id}`}
      title={`Reset the two-factor sign-in of ${agentName(agent)}?`}
      action={`/settings/agents/${agent.id}/reset-two-factor`}
      verb="Reset two-factor"
    >
      <p>
        They are signed out everywhere and sign in with only their password until they set it up again. First make sure
        that the request really comes from them.
      </p>
    </ConfirmDialog>
  );
}
