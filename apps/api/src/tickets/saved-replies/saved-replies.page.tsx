import type { SavedReply, Ticket } from '#libs/entities';
import type { VNode } from 'preact';
import { PageLayout } from '../../layers/shell/shell.js';
import { agentChoices } from '../../layers/ui/agent-name.js';
import { DeleteDialog } from '../../layers/ui/parts/dialog.js';
import { Field, SelectField, choicesOf } from '../../layers/ui/parts/fields.js';
import { FormAlert } from '../../layers/ui/parts/form.js';
import { FormCard } from '../../layers/ui/parts/form-card.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import type { TicketChoices } from '../inbox/ticket-choices.reader.js';
import { PATH, ReplyLink, SearchField } from './saved-reply-picker.js';

const INTRO = 'Texts for replies. In a reply, type / at the beginning of a line to choose one.';
const FOR_WHOM = choicesOf({ false: 'Me', true: 'Everyone' });
const STATES = choicesOf({ '': 'Do not change', closed: 'Closed', pending: 'Waiting for customer' });
const HINT = '{{customer}}, {{agent}}, {{ticket}} and {{mailbox}} are replaced by the name or number.';

export const MAX_LISTED = { menu: 30, page: 200 } as const;

interface PageProps {
  readonly replies: readonly SavedReply[];
  readonly q: string;
  /** The ticket that the chosen one is for. */
  readonly ticket?: Ticket;
  readonly form?: VNode;
}

/** The menu in the composer shows the list of this page. */
export function SavedRepliesPage({ replies, q, ticket, form }: PageProps) {
  const back = ticket && <a href={`/tickets/${ticket.number}`}>← #{ticket.number}</a>;
  const title = ticket ? `Saved replies for #${ticket.number}` : 'Saved replies';
  return (
    <PageLayout title={title} narrow section={ticket ? '/inbox' : PATH} intro={back ?? INTRO}>
      <FormAlert />
      <form id="find" class="row">
        <SearchField value={q} />
        <button type="submit">Find</button>
      </form>
      <div id="saved-replies">
        {replies.map((reply) => (
          <ReplyLink reply={reply} ticket={ticket} key={reply.id} />
        ))}
        {replies.length === 0 && <EmptyState title={q ? 'No saved replies found' : 'No saved replies yet'} />}
        {replies.length === MAX_LISTED[ticket ? 'menu' : 'page'] && <p class="quiet small">Search to find others.</p>}
        {ticket && (
          <a class="button plain" href={PATH}>
            Manage saved replies
          </a>
        )}
      </div>
      {form}
    </PageLayout>
  );
}

interface FormProps {
  readonly choices: TicketChoices;
  readonly reply?: SavedReply;
}

export function SavedReplyPage({ reply, choices }: Required<FormProps>) {
  return (
    <PageLayout title={reply.name} narrow section={PATH} intro={<a href={PATH}>← All saved replies</a>}>
      <FormAlert />
      <ReplyForm choices={choices} reply={reply} />
      <DeleteDialog id="delete-reply" name={reply.name} path={`${PATH}/${reply.id}`} what="saved reply">
        <p>{reply.agentId === null ? 'It is deleted for everyone. ' : ''}Drafts keep its text.</p>
      </DeleteDialog>
    </PageLayout>
  );
}

export function ReplyForm({ reply, choices }: FormProps) {
  const agents = [{ value: '', label: 'Do not change' }, ...agentChoices(choices.agents)];
  const card = reply
    ? { action: `${PATH}/${reply.id}`, title: 'Change the saved reply' }
    : { action: PATH, title: 'Add a saved reply' };
  return (
    <FormCard {...card} submit="Save" submitClass="primary">
      <Field label="Name" name="name" value={reply?.name ?? ''} required autocomplete="off" />
      <Field label="Text" name="body" value={reply?.body ?? ''} required hint={HINT}>
        {(attributes, value) => (
          <textarea {...attributes} rows={6} dir="auto">
            {value}
          </textarea>
        )}
      </Field>
      <SelectField label="Visible to" name="shared" choices={FOR_WHOM} value={String(reply?.agentId === null)} />
      <h3>When it is sent</h3>
      <Field label="Add tags" name="tags" hint="Separated by commas." value={reply?.tags.join(', ') ?? ''} />
      <SelectField label="State" name="state" choices={STATES} value={reply?.state ?? ''} />
      <SelectField label="Assignee" name="assignee" choices={agents} value={reply?.assignee ?? ''} />
    </FormCard>
  );
}
