import { type Agent, manages } from '#libs/entities';
import { usePageContext } from '../layers/ui/page-context.js';
import { CopyButton } from '../layers/ui/parts/copy-button.js';
import { ActionButton, FormAlert } from '../layers/ui/parts/form.js';
import { AgentStatePill, Avatar, NoticeBox } from '../layers/ui/parts/indicators.js';
import { type Column, Table, actionsColumn } from '../layers/ui/parts/table.js';
import { RelativeTime } from '../layers/ui/parts/relative-time.js';
import { PageLayout } from '../layers/shell/shell.js';
import { inboxPath, parseInboxQuery } from '../tickets/index.js';
import { agentName } from '../layers/ui/agent-name.js';
import { type AgentRow, ArchiveDialog, InviteDialog, ReassignDialog, TwoFactorReset } from './agent-dialogs.js';

const COLUMNS: readonly Column<AgentRow>[] = [
  {
    name: 'Name',
    plain: true,
    class: 'clip',
    cell: ({ agent }) => (
      <span class="row nowrap">
        <Avatar name={agentName(agent)} />
        <span>
          {agentName(agent)} {agent.state !== 'active' && <AgentStatePill state={agent.state} />}
          <span class="quiet small block">{agent.email}</span>
        </span>
      </span>
    ),
  },
  { name: 'Role', plain: true, cell: ({ agent }) => agent.role },
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

const ACTIONS = actionsColumn<ActionsProps>((row) => <AgentActions {...row} />);

export function AgentsPage({ agents, canMail }: { agents: readonly AgentRow[]; canMail: boolean }) {
  const { me } = usePageContext();
  const mayManage = manages(me.role);
  const receivers = agents.map(({ agent }) => agent).filter(({ state }) => state === 'active');
  return (
    <PageLayout
      title="Agents"
      intro="Members of your support team. Agents are archived, never deleted, so their messages keep their names."
      {...(mayManage && { actions: <InviteDialog canMail={canMail} /> })}
    >
      <FormAlert />
      <Table
        caption="Agents"
        columns={mayManage ? [...COLUMNS, TWO_FACTOR, ACTIONS] : COLUMNS}
        rows={agents.map((row) => ({ ...row, canMail, receivers }))}
        id="agents"
        live
      />
    </PageLayout>
  );
}

interface ActionsProps extends AgentRow {
  readonly canMail: boolean;
  readonly receivers: readonly Agent[];
}

/** An owner only has the reset by another owner. */
function AgentActions({ canMail, receivers, ...row }: ActionsProps) {
  const { agent, openTickets, hasTwoFactor } = row;
  const { me } = usePageContext();
  const path = `/settings/agents/${agent.id}`;
  const otherRole = agent.role === 'agent' ? 'admin' : 'agent';
  if (agent.id === me.agentId) return null;
  if (agent.role === 'owner') return hasTwoFactor && me.role === 'owner' ? <TwoFactorReset agent={agent} /> : null;
  return (
    <div class="row end">
      {agent.state === 'invited' && (
        <ActionButton to={`${path}/invite`} label={canMail ? 'Resend invitation' : 'New invite link'} class="slim" />
      )}
      {agent.state === 'archived' ? (
        <>
          {openTickets > 0 && <ReassignDialog {...row} receivers={receivers} />}
          <ActionButton to={`${path}/restore`} label="Restore" class="slim" />
        </>
      ) : (
        <>
          <ActionButton to={`${path}/role`} label={`Make ${otherRole}`} class="slim" fields={{ role: otherRole }} />
          {hasTwoFactor && <TwoFactorReset agent={agent} />}
          <ArchiveDialog {...row} receivers={receivers} />
        </>
      )}
    </div>
  );
}

export function InvitationLinkPage({ email, link }: { email: string; link: string }) {
  return (
    <PageLayout title="Invitation" section="/settings/agents" narrow>
      <NoticeBox tone="warn" role="status">
        {`Email is not set up. Send this link to ${email}.`}
      </NoticeBox>
      <div class="card stack">
        <p class="mono break" data-link>
          {link}
        </p>
        <CopyButton text={link} what="the link" />
        <p class="quiet small">
          The link works once and expires in 7 days. Anyone with it can join as {email}. This page will not show it
          again, but you can create a new one under Agents.
        </p>
      </div>
      <p>
        <a href="/settings/agents">Back to agents</a>
      </p>
    </PageLayout>
  );
}
