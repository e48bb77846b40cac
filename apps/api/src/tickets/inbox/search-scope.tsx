import type { FolderId } from '#libs/tickets';
import { Alert } from '../../ui/layout.js';
import { type InboxQuery, inboxPath, listName, parseInboxQuery } from '../../shell/inbox-query.js';

interface SearchScopeProps {
  readonly query: InboxQuery;
  readonly found: { readonly total: number; readonly capped: boolean };
  /** Why a search could not be understood. */
  readonly fault: string | undefined;
}

/** How much a search has found, and where it looks. Deleted tickets are looked through only when asked for. */
export function SearchScope({ query, found, fault }: SearchScopeProps) {
  if (query.q === undefined) return null;
  const { folder } = query;
  const places: (FolderId | undefined)[] = [undefined, ...(folder && folder !== 'deleted' ? [folder] : []), 'deleted'];
  return (
    <div class="scope" id="scope" data-live>
      {fault ? <Alert>{fault}</Alert> : <p role="status">{foundWords(found)}</p>}
      <nav aria-label="Where to search">
        {places.map((place) => (
          <a
            class="chip"
            href={inboxPath(query, { folder: place, cursor: undefined })}
            aria-current={place === folder ? 'true' : undefined}
            key={place ?? ''}
          >
            {listName({ ...query, folder: place })}
          </a>
        ))}
        <a class="small" href={inboxPath(parseInboxQuery({ folder }))}>
          Clear
        </a>
      </nav>
    </div>
  );
}

function foundWords({ total, capped }: SearchScopeProps['found']): string {
  if (capped) return `${total.toLocaleString('en')} or more found`;
  return total === 0 ? 'Nothing found' : `${total.toLocaleString('en')} found`;
}
