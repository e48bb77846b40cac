import type { Counted } from '#libs/lists';
import type { RailContent, RailView } from '../ui/page-context.js';
import { Icon } from '../ui/parts/icon.js';
import { type InboxQuery, listQuery } from './inbox-query.js';
import { Group, PageItem } from './sidebar-parts.js';

/** What the sidebar shows of the inbox. Other pages have no query, so nothing of it is the current one. */
export interface InboxSidebar extends RailContent {
  readonly query?: InboxQuery;
}

/** The view whose list the page shows. */
export const shownView = ({ views, query }: InboxSidebar): RailView | undefined =>
  query && views.shown.find((view) => view.query === listQuery(query));

/** Without any there is nothing to say: a search offers to be kept. */
export function SavedViews({ inbox, section }: { inbox: InboxSidebar; section: string | undefined }) {
  const { shown, total } = inbox.views;
  const current = shownView(inbox);
  if (total === 0) return null;
  return (
    <Group title="Views" id="views" live>
      {shown.map((view) => (
        <a
          class="item"
          href={`/inbox?${view.query}`}
          aria-current={view === current ? 'page' : undefined}
          title={view.agentId === null ? `${view.name} (for everybody)` : view.name}
          data-view={view.id}
          key={view.id}
        >
          <Icon name={view.agentId === null ? 'people' : 'person'} />
          <span class="clip" dir="auto">
            {view.name}
          </span>
          <ViewCount of={view.count} />
        </a>
      ))}
      <PageItem
        href="/views"
        icon="list"
        label={total > shown.length ? `All ${total} views` : 'All views'}
        section={section}
      />
    </Group>
  );
}

/** There are so many at least where more was not counted. */
function ViewCount({ of }: { of: Counted | undefined }) {
  if (!of || (of.total === 0 && !of.capped)) return null;
  return <span class="count">{of.capped ? `${of.total}+` : of.total}</span>;
}
