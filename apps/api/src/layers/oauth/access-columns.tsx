import type { Scope } from '#libs/entities';
import { RelativeTime } from '../ui/parts/relative-time.js';
import type { Column } from '../ui/parts/table.js';

export const SCOPE_LABELS: Readonly<Record<Scope, string>> = {
  read: 'read',
  write: 'change tickets and customers',
  webhooks: 'manage its webhooks',
  admin: 'manage people and settings',
};

export const PERMISSIONS: Column<{ readonly scopes: readonly Scope[] }> = {
  name: 'Permissions',
  class: 'words',
  cell: ({ scopes }) => scopes.map((scope) => SCOPE_LABELS[scope]).join(', '),
};

export const SINCE: Column<{ readonly since: Date }> = {
  name: 'Since',
  cell: ({ since }) => <RelativeTime at={since} />,
};

export const LAST_USED: Column<{ readonly lastUsedAt: Date | null }> = {
  name: 'Last used',
  cell: ({ lastUsedAt }) => (lastUsedAt ? <RelativeTime at={lastUsedAt} /> : <span class="quiet">never</span>),
};
