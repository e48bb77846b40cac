import { manages } from '#libs/entities';
import type { KeptView } from '#libs/tickets';
import { usePageContext } from '../../ui/page-context.js';
import { FormAlert } from '../../ui/parts/form.js';
import { EmptyState } from '../../ui/parts/indicators.js';
import { parseListQuery, queryFacts } from '../../shell/inbox-query.js';
import { PageLayout } from '../../shell/shell.js';
import { KeepViewForm } from './keep-view.js';

const INTRO = 'Lists that are kept under a name. Search or filter the inbox, and choose “Keep this search”.';

export function ViewsPage({ views }: { views: readonly KeptView[] }) {
  const { me } = usePageContext();
  const ofAccount = views.filter(({ agentId }) => agentId === null);
  const own = views.filter(({ agentId }) => agentId !== null);
  return (
    <PageLayout title="Views" narrow intro={INTRO}>
      <FormAlert />
      {views.length === 0 && (
        <EmptyState title="No views yet">
          <p>A view is a search that you need again and again.</p>
        </EmptyState>
      )}
      <ViewsCard title="For everybody" views={ofAccount} mayChange={manages(me.role)} />
      <ViewsCard title="Only for you" views={own} mayChange />
    </PageLayout>
  );
}

interface ViewsCardProps {
  readonly title: string;
  readonly views: readonly KeptView[];
  readonly mayChange: boolean;
}

function ViewsCard({ title, views, mayChange }: ViewsCardProps) {
  if (views.length === 0) return null;
  return (
    <section class="card stack" aria-label={title}>
      <h2>{title}</h2>
      <ol class="views">
        {views.map(({ id, name, query }) => (
          <li class="row apart" key={id}>
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

/** The first value is the place. */
export const factsIn = (query: string): string =>
  queryFacts(parseListQuery(query))
    .map(([name, value]) => (name === 'Folder' ? value : `${name.toLowerCase()}: ${value}`))
    .join(' · ');

/** A search whose name was refused. */
export function KeepViewPage({ query }: { query: string }) {
  return (
    <PageLayout title="Keep a search" narrow section="/views" intro={factsIn(query)}>
      <section class="card stack" aria-label="Keep a search">
        <FormAlert />
        <KeepViewForm query={query} />
      </section>
    </PageLayout>
  );
}
