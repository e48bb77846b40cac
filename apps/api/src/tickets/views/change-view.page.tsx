import { manages } from '#libs/entities';
import type { KeptView } from '#libs/tickets';
import { usePageContext } from '../../ui/page-context.js';
import { ConfirmDialog } from '../../ui/parts/dialog.js';
import { Field, SelectField, toChoices } from '../../ui/parts/fields.js';
import { Form, FormAlert } from '../../ui/parts/form.js';
import { PageLayout } from '../../shell/shell.js';
import { factsIn } from './views.page.js';

interface ChangeViewProps {
  readonly view: KeptView;
  /** All that the viewer has. */
  readonly views: readonly KeptView[];
}

export function ChangeViewPage({ view, views }: ChangeViewProps) {
  const { me } = usePageContext();
  const { id, name, query, agentId } = view;
  const siblings = views.filter((other) => other.agentId === agentId);
  const isOwn = agentId !== null;
  return (
    <PageLayout title={name} narrow section="/views" intro={<a href="/views">← All views</a>}>
      <section class="card stack" aria-label="The view">
        <p dir="auto">{factsIn(query)}</p>
        <p class="quiet">{isOwn ? 'Only you see this view.' : 'Everybody in this account sees this view.'}</p>
        <FormAlert />
        {isOwn || manages(me.role) ? (
          <>
            <Form action={`/views/${id}`} class="stack" label="Change the view">
              <Field label="Name" name="name" value={name} required autocomplete="off" />
              <SelectField
                label="Place in the list"
                name="place"
                choices={toChoices(siblings.map((_, index) => String(index + 1)))}
                value={String(siblings.indexOf(view) + 1)}
              />
              <button type="submit" class="primary">
                Save
              </button>
            </Form>
            <ConfirmDialog
              id="delete-view"
              title={`Delete ${name}?`}
              action={`/views/${id}/delete`}
              verb="Delete"
              what="view"
            >
              <p>
                {isOwn ? 'Its tickets stay where they are.' : 'It goes for everybody. Its tickets stay where they are.'}
              </p>
            </ConfirmDialog>
          </>
        ) : (
          <p>Owners and admins change the views of the account.</p>
        )}
      </section>
    </PageLayout>
  );
}
