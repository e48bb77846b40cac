import { type Agent, manages } from '#libs/entities';
import { usePageContext } from '../ui/page-context.js';
import { CancelButton, Dialog } from '../ui/parts/dialog.js';
import { Field, SelectField } from '../ui/parts/fields.js';
import { ActionButton, Form, FormAlert } from '../ui/parts/form.js';
import { AgentStatePill, Avatar } from '../ui/parts/indicators.js';
import { type Column, Table } from '../ui/parts/table.js';
import { RelativeTime } from '../ui/parts/relative-time.js';
import { PageLayout } from '../shell/shell.js';
import { inboxPath, parseInboxQuery } from '../shell/inbox-query.js';
import { agentName } from '../ui/agent-name.js';
import type { AgentRow } from './agent-row.js';
import { ArchiveDialog, ReassignDialog } from './archive-dialogs.js';
import { TwoFactorReset } from './two-factor-reset.js';

const COLUMNS: readonly Column<AgentRow>[] = [
  {
    name: 'Name',
    cell: ({ agent }) => (
      <span class="row nowrap">
        <Avatar name={agentName(agent)} />
        {agentName(agent)}
      </span>
    ),
  },
  { name: 'E-mail', cell: ({ agent }) => agent.email },
  { name: 'Role', cell: ({ agent }) => agent.role },
  { name: 'State', cell: ({ agent }) => <AgentStatePill state={agent.state} /> },
  { name: 'Open tickets', class: 'number', cell: (row) => <OpenTickets {...row} /> },
  {
    name: 'Last seen',
    cell: ({ agent }) => (agent.lastSeenAt ? <RelativeTime at={agent.lastSeenAt} /> : <span class="quiet">never</span>),
  },
];

function OpenTickets({ agent: { email }, openTickets }: AgentRow) {
  if (openTickets === 0) return <>0</>;
  return <a href={inboxPath(parseInboxQuery({ folder: 'open', assignee: email }))}>{openTickets}</a>;
}

const TWO_FACTOR: Column<AgentRow> = {
  name: 'Two-factor',
  cell: ({ hasTwoFactor }) => (hasTwoFactor ? 'on' : <span class="quiet">off</span>),
};

const actions = (canMail: boolean, receivers: readonly Agent[]): Column<AgentRow> => ({
  name: '(Actions)',
  class: 'end',
  cell: (row) => <AgentActions {...row} canMail={canMail} receivers={receivers} />,
});

export function AgentsPage({ agents, canMail }: { agents: readonly AgentRow[]; canMail: boolean }) {
  const { me } = usePageContext();
  const mayManage = manages(me.role);
  const receivers = agents.map(({ agent }) => agent).filter(({ state }) => state === 'active');
  return (
    <PageLayout
      title="Agents"
      intro="Who works at this desk. Agents are archived, never deleted: what they wrote stays under their name."
      {...(mayManage && { actions: <InviteDialog canMail={canMail} /> })}
    >
      <FormAlert />
      <Table
        caption="Agents"
        columns={mayManage ? [...COLUMNS, TWO_FACTOR, actions(canMail, receivers)] : COLUMNS}
        rows={agents}
        id="agents"
        live
      />
    </PageLayout>
  );
}

/** People cannot change or archive themselves or an owner here. Owners help each other with a lost phone. */
function AgentActions({ canMail, receivers, ...row }: AgentRow & { canMail: boolean; receivers: readonly Agent[] }) {
  const { agent, openTickets, hasTwoFactor } = row;
  const { me } = usePageContext();
  const path = `/settings/agents/${agent.id}`;
  if (agent.id === me.agentId) return null;
  if (agent.role === 'owner') return hasTwoFactor && me.role === 'owner' ? <TwoFactorReset agent={agent} /> : null;
  return (
    <div class="row end">
      {agent.state === 'invited' && (
        <ActionButton
          to={`${path}/invite`}
          label={canMail ? 'Resend invitation' : 'Make an invitation link'}
          class="slim"
        />
      )}
      {agent.state === 'archived' ? (
        <>
          {openTickets > 0 && <ReassignDialog {...row} receivers={receivers} />}
          <ActionButton to={`${path}/restore`} label="Restore" class="slim" />
        </>
      ) : (
        <>
          {agent.role === 'agent' ? (
            <ActionButton to={`${path}/role`} label="Make admin" class="slim" fields={{ role: 'admin' }} />
          ) : (
            <ActionButton to={`${path}/role`} label="Make agent" class="slim" fields={{ role: 'agent' }} />
          )}
          {hasTwoFactor && <TwoFactorReset agent={agent} />}
          <ArchiveDialog {...row} receivers={receivers} />
        </>
      )}
    </div>
  );
}

function InviteDialog({ canMail }: { canMail: boolean }) {
  return (
    <Dialog id="invite" opener="Invite agent" openerClass="primary" title="Invite an agent">
      <Form action="/settings/agents" class="stack">
        <Field label="E-mail" name="email" type="email" required autocomplete="off" />
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
        {!canMail && <p class="small">No mail server is set up: you get a link to hand over.</p>}
        <div class="row">
          <button type="submit" class="primary">
            {canMail ? 'Send invitation' : 'Invite'}
          </button>
          <CancelButton dialog="invite" />
        </div>
      </Form>
    </Dialog>
  );
}

const ROLES = [
  { value: 'agent', label: 'Agent' },
  { value: 'admin', label: 'Admin' },
];
