import { manages } from '#libs/entities';
import type { ListedView } from '#libs/tickets';
import { parseListQuery, queryFacts } from '../inbox-query.js';
import { PageLayout } from '../../layers/shell/shell.js';
import { usePageContext } from '../../layers/ui/page-context.js';
import { DeleteDialog } from '../../layers/ui/parts/dialog.js';
import { Field, SelectField, toChoices } from '../../layers/ui/parts/fields.js';
import { Form, FormAlert, SubmitButton } from '../../layers/ui/parts/form.js';
import { EmptyState } from '../../layers/ui/parts/indicators.js';
import { SaveViewForm } from './save-view-form.js';

const INTRO = 'Saved ticket lists. To add one, search or filter the inbox and choose “Save view”.';

export function ViewsPage({ views }: { views: readonly ListedView[] }) {
  const { me } = usePageContext();
  const ofAccount = views.filter(({ agentId }) => agentId === null);
  const own = views.filter(({ agentId }) => agentId !== null);
  return (
    <PageLayout title="Views" narrow intro={INTRO}>
      <FormAlert />
      {views.length === 0 && <EmptyState title="No views yet" text="Views are saved searches." />}
      <ViewsCard title="For everyone" views={ofAccount} mayChange={manages(me.role)} />
      <ViewsCard title="Only for you" views={own} mayChange />
    </PageLayout>
  );
}

function ViewsCard({ title, views, mayChange }: { title: string; views: readonly ListedView[]; mayChange: boolean }) {
  if (views.length === 0) return null;
  return (
    <section class="card stack" aria-label={title}>
      <h2>{title}</h2>
      <ol class="stack">
        {views.map(({ id, name, query }) => (
          <li class="row apart nowrap" key={id}>
            <span class="break">
              <a href={`/inbox?${query}`} dir="auto">
                {name}
              </a>
              <span class="quiet small block" dir="auto">
                {factsIn(query)}
              </span>
            </span>
            {mayChange && (
              <a class="button slim" href={`/views/${id}`} aria-label={`Change ${name}`}>
                Change
              </a>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

const factsIn = (query: string): string =>
  queryFacts(parseListQuery(query))
    .map(([name, value]) => (name === 'Folder' ? value : `${name.toLowerCase()}: ${value}`))
    .join(' · ');

export function SaveViewPage({ query }: { query: string }) {
  return (
    <PageLayout title="Save a search" narrow section="/views" intro={factsIn(query)}>
      <section class="card stack" aria-label="Save a search">
        <FormAlert />
        <SaveViewForm query={query} />
      </section>
    </PageLayout>
  );
}

interface ChangeViewProps {
  readonly view: ListedView;
  /** All views that the agent sees. */
  readonly views: readonly ListedView[];
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
        <p class="quiet">{isOwn ? 'Only you see this view.' : 'Everyone in this account sees this view.'}</p>
        <FormAlert />
        {isOwn || manages(me.role) ? (
          <>
            <Form action={`/views/${id}`} class="stack" label="Change the view">
              <Field label="Name" name="name" value={name} required autocomplete="off" />
              <SelectField
                label="Position in the list"
                name="place"
                choices={toChoices(siblings.map((_, index) => String(index + 1)))}
                value={String(siblings.indexOf(view) + 1)}
              />
              <SubmitButton>Save</SubmitButton>
            </Form>
            <DeleteDialog id="delete-view" name={name} path={`/views/${id}`} what="view">
              <p>
                {isOwn ? 'Its tickets are not affected.' : 'It is deleted for everyone. Its tickets are not affected.'}
              </p>
            </DeleteDialog>
          </>
        ) : (
          <p>Only owners and admins can change views of the account.</p>
        )}
      </section>
    </PageLayout>
  );
}
