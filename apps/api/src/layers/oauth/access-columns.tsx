import { SCOPES, type Scope } from '#libs/entities';
import { RelativeTime } from '../ui/parts/relative-time.js';
import type { Column } from '../ui/parts/table.js';
import { SCOPE_TEXTS } from './scope-texts.js';

export const PERMISSIONS: Column<{ readonly scopes: readonly Scope[] }> = {
  name: 'Permissions',
  class: 'words',
  cell: ({ scopes }) =>
    SCOPES.filter((scope) => scopes.includes(scope))
      .map((scope) => SCOPE_TEXTS[scope].label)
      .join(', '),
};

export const SINCE: Column<{ readonly since: Date }> = {
  name: 'Since',
  cell: ({ since }) => <RelativeTime at={since} />,
};

export const LAST_USED: Column<{ readonly lastUsedAt: Date | null }> = {
  name: 'Last used',
  cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <span class="quiet">never</span>),
};
