import type { SavedReply } from '#libs/entities';
import { PageLayout } from '../../layers/shell/shell.js';
import { agentChoices } from '../../layers/ui/agent-name.js';
import { DeleteDialog } from '../../layers/ui/parts/dialog.js';
import { Field, SelectField, choicesOf } from '../../layers/ui/parts/fields.js';
import { FormAlert } from '../../layers/ui/parts/form.js';
import { FormCard } from '../../layers/ui/parts/form-card.js';
import type { TicketChoices } from '../inbox/ticket-choices.reader.js';
import { ReplyLink } from './saved-reply-picker.js';

export const PATH = '/settings/saved-replies';
const INTRO = 'Texts for replies. In a reply, type / at the beginning of a line to choose one.';
const FOR_WHOM = choicesOf({ false: 'Me', true: 'Everyone' });
const STATES = choicesOf({ '': 'Do not change', closed: 'Closed', pending: 'Waiting for customer' });
const HINT = '{{customer}}, {{agent}}, {{ticket}} and {{mailbox}} are replaced by the name or number.';

interface PageProps {
  readonly replies: readonly SavedReply[];
  readonly choices: TicketChoices;
}

export function SavedRepliesPage({ replies, choices }: PageProps) {
  return (
    <PageLayout title="Saved replies" narrow intro={INTRO}>
      <FormAlert />
      {[null, 'own'].map((owner) => {
        const listed = replies.filter(({ agentId }) => (agentId === null) === (owner === null));
        return (
          listed.length > 0 && (
            <section class="card stack">
              <h2>{owner === null ? 'For everyone' : 'Only for you'}</h2>
              {listed.map(({ id, name, body }) => (
                <ReplyLink href={`${PATH}/${id}`} name={name} text={body} />
              ))}
            </section>
          )
        );
      })}
      <ReplyForm action={PATH} title="Add a saved reply" choices={choices} />
    </PageLayout>
  );
}

export function SavedReplyPage({ reply, choices }: { reply: SavedReply; choices: TicketChoices }) {
  const path = `${PATH}/${reply.id}`;
  return (
    <PageLayout title={reply.name} narrow section={PATH} intro={<a href={PATH}>← All saved replies</a>}>
      <FormAlert />
      <ReplyForm action={path} title="Change the saved reply" choices={choices} reply={reply} />
      <DeleteDialog id="delete-reply" name={reply.name} path={path} what="saved reply">
        <p>{reply.agentId === null ? 'It is deleted for everyone. ' : ''}Drafts keep its text.</p>
      </DeleteDialog>
    </PageLayout>
  );
}

interface FormProps {
  readonly action: string;
  readonly title: string;
  readonly choices: TicketChoices;
  readonly reply?: SavedReply;
}

function ReplyForm({ reply, choices, ...card }: FormProps) {
  const agents = [{ value: '', label: 'Do not change' }, ...agentChoices(choices.agents)];
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
