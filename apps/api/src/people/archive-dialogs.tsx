import type { Agent } from '#libs/entities';
import { CancelButton, ConfirmDialog, Dialog } from '../ui/parts/dialog.js';
import { LabelledSelect } from '../ui/parts/fields.js';
import { Form } from '../ui/parts/form.js';
import { agentChoices, agentName } from '../ui/agent-name.js';
import type { AgentRow } from './agent-row.js';
import { KEEP_ASSIGNEE } from './ticket-handover.service.js';

/** Each agent on the page has such a list, so a longer one would make the page too large. */
const MAX_RECEIVERS = 30;

type DialogProps = AgentRow & { readonly receivers: readonly Agent[] };

export function ArchiveDialog({ agent, openTickets, receivers }: DialogProps) {
  return (
    <ConfirmDialog
      id={`archive-${agent.id}`}
      title={`Archive ${agentName(agent)}?`}
      action={`/settings/agents/${agent.id}/archive`}
      verb="Archive"
      inputs={openTickets > 0 && <ReceiverSelect {...{ agent, openTickets, receivers }} canKeep />}
    >
      <p>They are signed out and their tokens are revoked immediately. They can be restored.</p>
      {openTickets === 0 && <p>They have no open tickets.</p>}
    </ConfirmDialog>
  );
}

/** For an agent who was archived with open tickets. */
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
          <button type="submit" class="primary">
            Reassign
          </button>
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
}: Omit<DialogProps, 'hasTwoFactor'> & { canKeep?: boolean }) {
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
