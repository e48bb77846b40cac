import type { Agent } from '#libs/entities';
import { DeleteDialog } from '../layers/ui/parts/dialog.js';
import { Field, LabelledInput } from '../layers/ui/parts/fields.js';
import { Form, FormAlert } from '../layers/ui/parts/form.js';
import { FormCard } from '../layers/ui/parts/form-card.js';
import { EmptyState } from '../layers/ui/parts/indicators.js';
import { PageLayout } from '../layers/shell/shell.js';
import { agentName } from '../layers/ui/agent-name.js';

interface GroupRow {
  readonly id: string;
  readonly name: string;
  readonly members: readonly string[];
}

export function GroupsPage({ groups, agents }: { groups: readonly GroupRow[]; agents: readonly Agent[] }) {
  return (
    <PageLayout title="Groups" narrow intro="Assign a ticket to a group when any of its members can reply.">
      <FormAlert />
      {groups.length === 0 && <EmptyState title="No groups yet" text="Add one below, then choose its members." />}
      {groups.length > 0 && (
        <div class="card stack">
          {groups.map((group) => (
            <GroupDetails group={group} agents={agents} key={group.id} />
          ))}
        </div>
      )}
      <FormCard action="/settings/groups" title="Add a group" submit="Add group" submitClass="primary">
        <Field label="Name" name="name" required autocomplete="off" />
      </FormCard>
    </PageLayout>
  );
}

/** Invited and archived agents cannot be added, but stay members until the box is unticked. */
const canBeMember =
  (members: readonly string[]) =>
  ({ id, state }: Agent): boolean =>
    state === 'active' || members.includes(id);

function GroupDetails({ group: { id, name, members }, agents }: { group: GroupRow; agents: readonly Agent[] }) {
  return (
    <details>
      <summary>
        <strong class="break">{name}</strong>{' '}
        <span class="quiet">{members.length === 1 ? '1 member' : `${members.length} members`}</span>
      </summary>
      <div class="stack">
        <Form action={`/settings/groups/${id}`} class="stack" label={name}>
          <LabelledInput label="Name" name="name" value={name} />
          <fieldset>
            <legend>Members</legend>
            {agents.filter(canBeMember(members)).map((agent) => (
              <label class="check" key={agent.id}>
                <input type="checkbox" name="agent[]" value={agent.email} checked={members.includes(agent.id)} />
                <span>{agent.state === 'active' ? agentName(agent) : `${agentName(agent)} (${agent.state})`}</span>
              </label>
            ))}
          </fieldset>
          <button type="submit">Save</button>
        </Form>
        <DeleteDialog id={`delete-${id}`} name={name} path={`/settings/groups/${id}`} what="group">
          <p>A group with assigned tickets cannot be deleted. Assign them elsewhere first.</p>
        </DeleteDialog>
      </div>
    </details>
  );
}
