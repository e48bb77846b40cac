import type { OtherTicket } from '#libs/tickets';
import type { ComponentChildren } from 'preact';
import { CustomerPane } from '../../customers/index.js';
import { agentChoices, agentName } from '../../layers/ui/agent-name.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { LabelledSelect, toChoices } from '../../layers/ui/parts/fields.js';
import { Form, HiddenFields, SubmitButton, inheritedSwap } from '../../layers/ui/parts/form.js';
import { Avatar, PriorityPill } from '../../layers/ui/parts/indicators.js';
import { toSearchParams } from '../inbox-query.js';
import type { TicketChoices } from './ticket-choices.reader.js';
import {
  PRIORITY_CHOICES,
  SWAPPED_PARTS,
  TagInput,
  TicketButton,
  TicketForm,
  Tool,
  type ToolProps,
} from './ticket-tools.js';

type PropertiesProps = ToolProps & { readonly choices: TicketChoices };

/** The right column. Only a narrow window can fold it. */
export function TicketProperties(props: PropertiesProps & { otherTickets: readonly OtherTicket[] }) {
  const { ticket, query, otherTickets } = props;
  const { customer, assignee, deletedAt } = ticket;
  const owner = assignee ? `assigned to ${agentName(assignee)}` : 'unassigned';
  return (
    <details class="side" id="properties" open data-fold data-live {...inheritedSwap(SWAPPED_PARTS)}>
      <summary>{`${customer.name() ?? customer.email}, ${owner}`}</summary>
      {!deletedAt && <Properties {...props} />}
      <CustomerPane customer={customer} otherTickets={otherTickets} query={query}>
        {!deletedAt && <ChangeCustomer ticket={ticket} query={query} />}
      </CustomerPane>
    </details>
  );
}

function Properties({ choices, ...tool }: PropertiesProps) {
  const { name } = tool.ticket.mailbox;
  return (
    <section class="properties" aria-label="Properties">
      <Assignee {...tool} choices={choices} />
      <Priority {...tool} />
      <Property rows={[['Mailbox', name]]} shortcut="v">
        <TicketForm {...tool} action="move" label="Move">
          <LabelledSelect label="Mailbox" name="mailbox" choices={toChoices(choices.mailboxes)} chosen={name} />
          <SubmitButton>Move</SubmitButton>
        </TicketForm>
      </Property>
      <Tags {...tool} />
    </section>
  );
}

interface PropertyProps {
  readonly rows: readonly (readonly [name: string, value: ComponentChildren])[];
  readonly shortcut: string;
  readonly children: ComponentChildren;
}

function Property({ rows, shortcut, children }: PropertyProps) {
  const label = rows.map(([name, value]) => (
    <span class="property" key={name}>
      <span class="quiet">{name}</span> <span class="row nowrap clip">{value}</span>
    </span>
  ));
  return (
    <Tool class="block" shortcut={shortcut} label={label}>
      {children}
    </Tool>
  );
}

/** One form, because both can change together. */
function Assignee({ choices, ...tool }: PropertiesProps) {
  const { me } = usePageContext();
  const { assignee, assignedGroup } = tool.ticket;
  const agents = [{ value: 'unassigned', label: 'Unassigned' }, ...agentChoices(choices.agents)];
  const groups = [{ value: 'none', label: 'None' }, ...toChoices(choices.groups)];
  const group = assignedGroup?.name ?? 'none';
  const name = assignee && agentName(assignee);
  const shown = (
    <>
      {name && <Avatar name={name} />} <span class="clip">{name ?? 'None'}</span>
    </>
  );
  const toMe = assignee?.id !== me.agentId && (
    <TicketButton
      {...tool}
      action="assign"
      label="Assign to me"
      class="slim to-me"
      fields={{ assignee: me.email, assigned_group: group }}
    />
  );
  const rows = [['Assignee', shown] as const, ['Group', assignedGroup?.name ?? 'None'] as const];
  return (
    <>
      <Property rows={rows} shortcut="a">
        <TicketForm {...tool} action="assign" label="Assign">
          <LabelledSelect label="Agent" name="assignee" choices={agents} chosen={assignee?.email ?? 'unassigned'} />
          <LabelledSelect label="Group" name="assigned_group" choices={groups} chosen={group} />
          <SubmitButton>Assign</SubmitButton>
        </TicketForm>
        {name && toMe}
      </Property>
      {!name && toMe}
    </>
  );
}

function Priority(tool: ToolProps) {
  const { priority } = tool.ticket;
  return (
    <Property rows={[['Priority', priority ? <PriorityPill priority={priority} /> : 'None']]} shortcut="p">
      <TicketForm {...tool} action="priority" label="Priority">
        {PRIORITY_CHOICES.map(({ value, label, digit }) => (
          <button
            type="submit"
            name="priority"
            value={value}
            class="plain"
            data-digit={digit}
            aria-pressed={value === (priority ?? 'none')}
            key={value}
          >
            {label} <kbd aria-hidden="true">{digit}</kbd>
          </button>
        ))}
      </TicketForm>
    </Property>
  );
}

function Tags(tool: ToolProps) {
  const { tags } = tool.ticket;
  return (
    <div class="property tags">
      <span class="quiet">Tags</span>
      <div>
        {tags.length > 0 && (
          <TicketForm {...tool} action="untag" label="Tags" class="row">
            {tags.map((tag) => (
              <span class="pill tag" key={tag}>
                <span class="clip">{tag}</span>
                <button type="submit" name="tags" value={tag} class="plain" aria-label={`Remove tag ${tag}`}>
                  ×
                </button>
              </span>
            ))}
          </TicketForm>
        )}
        <TicketForm {...tool} action="tag" class="add-tag row nowrap" label="Add a tag">
          <TagInput id="add-tag" class="slim" aria-label="Add a tag" placeholder="Add tag" required />
          <SubmitButton class="slim">Add</SubmitButton>
        </TicketForm>
      </div>
    </div>
  );
}

/** Loads the page, because the composer also names the customer. */
function ChangeCustomer({ ticket, query }: ToolProps) {
  return (
    <Tool label="⋯" name="Change customer" class="button slim plain">
      <Form action={`/tickets/${ticket.number}/customer`} class="stack" label="Change customer">
        <HiddenFields fields={{ back: toSearchParams(query) }} />
        <label class="field">
          Email of the customer
          <input type="email" name="email" maxLength={320} required />
        </label>
        <SubmitButton>Change customer</SubmitButton>
      </Form>
    </Tool>
  );
}
